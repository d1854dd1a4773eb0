import { expect, it } from 'vitest';
import { readGlossary } from '../../../dev/house/glossary.ts';
import { anyOf, proseProblemsOf } from '../../../dev/house/prose-problems.ts';
import { readSource, trackedPaths } from '../../../dev/house/source-file.ts';

const { terms, refused } = readGlossary();
const pattern = anyOf(refused);

const rulesBrokenBy = (path: string, text: string): readonly string[] =>
  proseProblemsOf({ path, text }, pattern).map(({ rule }) => rule);

it('the glossary has at most 40 terms and names phrases to refuse', () => {
  expect(terms.length).toBeLessThanOrEqual(40);
  expect(refused).toContain('told of');
});

it.each([
  ['a comment', 'domain/planted.ts', '/** The worker is told of a swap. */\nexport const planted = 1;\n'],
  ['an error text', 'domain/planted.ts', "throw new Error('the rest is signed anew');\n"],
  ['a text of the site', 'web/planted.tsx', 'export const Planted = () => <p>It is gone for good.</p>;\n'],
  ['a page', 'docs/planted.md', '# Planted\n\nThe endpoint is told of a swap.\n'],
])('a phrase that the glossary replaces is refused in %s', (_where, path, text) => {
  expect(rulesBrokenBy(path, text)).toContain('refused phrase');
});

it.each([
  ['headless opening', '/** What the chain has of it is booked. */\n'],
  ['no actor', '/** Nobody signs it. */\n'],
  ['long sentence', `/** The worker signs ${'and sends '.repeat(20)}it. */\n`],
])('a comment with a %s is refused', (rule, text) => {
  expect(rulesBrokenBy('domain/planted.ts', text)).toContain(rule);
});

it('a plain comment is not refused', () => {
  expect(rulesBrokenBy('domain/planted.ts', '/** The worker signs it again. */\n')).toEqual([]);
});

it('code and pages have none of these phrases (npm run words)', () => {
  const suspects = trackedPaths()
    .filter((path) => /\.(md|tsx?|mjs|cjs)$/.test(path) && !path.startsWith('test/'))
    .map(readSource)
    .filter(({ text }) => text.match(pattern) !== null);
  const found = suspects.flatMap((file) => proseProblemsOf(file, pattern));
  expect(found.filter(({ rule }) => rule === 'refused phrase')).toEqual([]);
});
