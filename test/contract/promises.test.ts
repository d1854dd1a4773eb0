import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const PAGES = ['README.md', ...globSync('docs/**/*.md'), ...globSync('api/**/*.ts'), ...globSync('web/**/*.tsx')];

/** Sentences that promise a bundle or a launch as a whole. */
const PROMISE = /[^.!?\n]*(?:or not at all|all or nothing|either the whole launch)[^.!?\n]*/g;

test('who reads that a launch lands together or not at all reads in the same sentence what happens when it is cut', () => {
  const promises = PAGES.flatMap((file) => {
    const text = readFileSync(file, 'utf8')
      .replaceAll(/' \+\s+'/g, '')
      .replaceAll(/\n {2,}/g, ' ');
    return (text.match(PROMISE) ?? []).filter((sentence) => /launch|land|token/.test(sentence));
  });
  expect(promises.length).toBeGreaterThanOrEqual(5);
  for (const promise of promises) expect(promise).toMatch(/cut|beginning/);
});
