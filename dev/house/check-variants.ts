/**
 * Refuses a ternary or an `else` that decides one of our unions, by TypeScript's types.
 *
 * @example node_modules/.bin/node dev/house/check-variants.ts
 */
import { listVariants, programOf, variantProblems } from './variants.ts';

const root = process.cwd();
// Tests and benchmarks choose the variant that they show.
const isOfProduct = (path: string) => !/\/(test|bench)\//.test(path);
const product = programOf(root, 'tsconfig.json', isOfProduct);
const listed = listVariants(product, root);
const problems = [product, programOf(root, 'web/tsconfig.json', isOfProduct)].flatMap((program) =>
  variantProblems(program, root, listed),
);
const lines = problems.map(
  ({ path, line, text }) => `${path}:${line}: use a Record or a switch with a case for each: ${text}\n`,
);
for (const line of new Set(lines)) process.stdout.write(line);
process.exitCode = problems.length > 0 ? 1 : 0;
