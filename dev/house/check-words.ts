/**
 * Refuses phrases that the glossary replaces, in code and pages, and hard sentences in comments.
 *
 * @example node_modules/.bin/node dev/house/check-words.ts
 */
import { readGlossary } from './glossary.ts';
import { anyOf, proseProblemsOf } from './prose-problems.ts';
import { readSource, trackedPaths } from './source-file.ts';

const MOST_TERMS = 40;

const { terms, refused } = readGlossary();
const pattern = anyOf(refused);
const problems = trackedPaths().flatMap((path) =>
  /\.(md|tsx?|mjs|cjs)$/.test(path) ? proseProblemsOf(readSource(path), pattern) : [],
);
for (const { path, line, rule, text } of problems) process.stdout.write(`${path}:${line}: ${rule}: ${text}\n`);
if (terms.length > MOST_TERMS) process.stdout.write(`the glossary has ${terms.length} terms, at most ${MOST_TERMS}\n`);
process.exitCode = problems.length > 0 || terms.length > MOST_TERMS ? 1 : 0;
