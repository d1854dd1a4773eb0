import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import sentences from './sentences.json' with { type: 'json' };

/** A sentence of the contract in our words, with the test of it, or why it has none. */
interface Sentence {
  readonly number: number;
  readonly says: string;
  readonly file?: string;
  readonly test?: string;
  readonly untested?: string;
}

const LIST: readonly Sentence[] = sentences;

test('the list has every sentence of the contract once, in order', () => {
  expect(LIST.map(({ number }) => number)).toEqual(Array.from({ length: 254 }, (_, index) => index + 1));
});

test('every sentence of the contract has a test that exists, or its reason', () => {
  const wrong = LIST.filter((sentence) => !isTested(sentence) && !sentence.untested);
  expect(wrong).toEqual([]);
});

function isTested({ file, test: name, untested }: Sentence): boolean {
  if (file === undefined || name === undefined || untested !== undefined) return false;
  return existsSync(file) && titlesOf(readFileSync(file, 'utf8')).has(name);
}

/** The first text after a call of describe, it or test, or after the table of an `each`. */
function titlesOf(source: string): ReadonlySet<string> {
  const calls = source.matchAll(/(?:\b(?:describe|it|test)|\))\(\s*(['`"])((?:\\.|(?!\1).)*)\1\s*,/gs);
  return new Set(Array.from(calls, ([, , title = '']) => title.replaceAll("\\'", "'")));
}
