import { RuleTester } from 'oxlint/plugins-dev';
import { describe, it } from 'vitest';
import house from '../../../dev/lint/house-rules.ts';

RuleTester.describe = (name, define) => void describe(name, define);
RuleTester.it = (name, check) => void it(name, check);

const tester = new RuleTester({ languageOptions: { sourceType: 'module', parserOptions: { lang: 'ts' } } });

/** A rule reports each of `wrong` once, and none of `right`. */
function check(name: keyof typeof house.rules, wrong: readonly string[], right: readonly string[]) {
  tester.run(name, house.rules[name], { valid: [...right], invalid: wrong.map((code) => ({ code, errors: 1 })) });
}

check(
  'no-empty-catch',
  ['try { a(); } catch {}', 'try { a(); } catch (error) { /* too bad */ }'],
  ['try { a(); } catch (error) { tell(error); }'],
);
check(
  'no-spread-literal',
  [
    'a = { ...{ b } };',
    'a = [...[b]];',
    'a(...[b]);',
    'new A(...[b]);',
    'a = [...([b] as B[])];',
    'a = { ...({ b } satisfies B) };',
  ],
  ['a = { ...b };', 'a = { ...(b ? { c } : {}) };'],
);
check(
  'export-type',
  ["export { type A } from 'a';", "export { type A, type B } from 'a';"],
  ["export type { A } from 'a';", "export { type A, b } from 'a';", 'export {};', 'export const a = 1;'],
);
check(
  'error-text',
  ['a = error instanceof Error ? error.message : String(error);'],
  ['a = errorText(error);', 'a = error instanceof Failure ? error.message : String(error);'],
);
