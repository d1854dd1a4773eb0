import { describe, expect, it } from 'vitest';
import { AppError } from '../../domain/errors.ts';
import { parseTokenName, parseTokenSymbol } from '../../domain/launch/token-names.ts';

/** Words of scripts in which a joiner is orthography, most of them with one. */
const NEEDS_JOINER = [
  '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645',
  '\u06a9\u0627\u0631\u200c\u0647\u0627',
  '\u0dc1\u0dca\u200d\u0dbb\u0dd3',
  '\u0915\u094d\u200d\u0937',
  '\u0915\u094d\u200c\u0937',
  '\u0915\u093c\u094d\u200d\u0937',
  '\u0d28\u0d4d\u200d',
  '\u0d05\u0d35\u0d28\u0d4d\u200d x',
  '\u09b0\u200d\u09cd\u09af\u09be\u09ac',
  '\u0cb0\u0cbe\u0c9c\u0ccd\u200c\u0c95\u0cc1',
  '\u0b95\u0bcd\u200c\u0bb7',
];

/** Syllables of more than two marks, and letters whose marks are one letter with them. */
const STACKS_MARKS = [
  '\u0915\u093c\u0941\u0902\u0926\u0942\u0930',
  '\u092b\u093c\u093f\u0902',
  '\u0f66\u0f92\u0fb2\u0f74\u0f56',
  '\u1019\u103c\u103d\u103e\u1031',
  '\u05e9\u05b8\u05bc\u05c1',
  '\u1f82',
  'Vi\u1ec7t Nam',
  '\u0e01\u0e33\u0e25\u0e31\u0e07',
];

const PICTURES = [
  '\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
  '\u{1f3f3}\ufe0f\u200d\u{1f308}',
  '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}\u200d\u{1f466}',
  '#\ufe0f\u20e3',
];

describe('a name', () => {
  it.each([...NEEDS_JOINER, ...STACKS_MARKS, ...PICTURES])('may be "%s"', (name) => {
    expect(parseTokenName(name)).toBe(name);
  });

  it.each(['a', 'Harbour Light', 'x'.repeat(32), 'ü'.repeat(16), '東京', '👩‍🚀', '👩🏽‍💻', '❤️‍🔥', '1️⃣', '❤️', 'a-b_c.d!'])(
    'may be "%s"',
    (name) => {
      expect(parseTokenName(name)).toBe(name);
    },
  );

  it.each([
    ['', '0 bytes'],
    ['x'.repeat(33), '33 bytes'],
    ['ü'.repeat(17), '34 bytes'],
    ['🚀'.repeat(9), '36 bytes'],
    [' a', 'white space'],
    ['a ', 'white space'],
    [' ', 'white space'],
    ['\u00a0a', 'white space'],
    // Bytes of Latin-1, as a program that decodes them as UTF-8 passes them on.
    ['H\ufffdfen', 'U+FFFD'],
    ['a  b', 'two spaces'],
    ['Harbour\u00a0Light', 'a space other than'],
    ['Harbour\u2009Light', 'a space other than'],
    ['Harbour\u3000Light', 'a space other than'],
    ['Harbour\u202fLight', 'a space other than'],
    ['a\u0301\u0302\u0303', 'combining marks'],
    ['W\u0336\u0489\u0336', 'combining marks'],
    ['\u0e01\u0e47\u0e47\u0e47', 'combining marks'],
    ['\u0915\u0941\u0941\u0941', 'combining marks'],
    ['\u0915\u0301\u0302\u0303', 'combining marks'],
    ['1\ufe0f00x', 'cannot be shown'],
    ['#\ufe0f1', 'cannot be shown'],
    ['\u{1f3fb}\u200d\u{1f3fb}', 'cannot be shown'],
    ['\u{1f680}\ufe0f\ufe0f', 'cannot be shown'],
    ['a\u200cb', 'cannot be shown'],
    ['1\u200d2', 'cannot be shown'],
    ['\u200c\u0645\u06cc', 'cannot be shown'],
    ['\u0645\u06cc\u200c', 'cannot be shown'],
    ['\u0645\u06cc\u200c\u200c\u062e', 'cannot be shown'],
    ['\u0645\u200da', 'cannot be shown'],
    ['\u0915\u094d\u200d', 'cannot be shown'],
    ['\u0915\u094d\u200d\u200d\u0937', 'cannot be shown'],
    ['\u0915\u200d\u0937', 'cannot be shown'],
    ['\u0915\u094d\u200d\u0dbb', 'cannot be shown'],
    ['\u0995\u200d\u09cd', 'cannot be shown'],
    ['A\u{e0041}', 'cannot be shown'],
    ['\u{1f3f4}\u{e0075}\u{e0073}\u{e007f}', 'cannot be shown'],
    ['\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}', 'cannot be shown'],
    ['a\nb', 'cannot be shown'],
    ['a\u0000b', 'cannot be shown'],
    ['a\u202eb', 'cannot be shown'],
    ['a\u200bb', 'cannot be shown'],
    ['\u200da', 'cannot be shown'],
    ['a\u2028b', 'cannot be shown'],
    ['a\ud800', 'cannot be shown'],
    ['\u00ada', 'cannot be shown'],
    ['\u3164', 'cannot be shown'],
    ['\u2800\u2800', 'cannot be shown'],
    ['\u115f\u1160', 'cannot be shown'],
    ['PEPE\u200d', 'cannot be shown'],
    ['PE\u200dPE', 'cannot be shown'],
    ['PEPE\ufe0f', 'cannot be shown'],
    ['PEPE\u034f', 'cannot be shown'],
    ['PEPE\u{e0100}', 'cannot be shown'],
    ['\u{f8ff}', 'cannot be shown'],
  ])('is not %j, which has %s', (name, problem) => {
    expect(() => parseTokenName(name)).toThrow(problem);
    expect(() => parseTokenName(name)).toThrow(expect.objectContaining({ code: 'invalid_request' }) as Error);
  });
});

describe('two spellings of one name', () => {
  it.each([
    ['Cafe\u0301', 'Caf\u00e9'],
    ['\u0bc6\u0bbe'.padStart(3, '\u0b95'), '\u0b95\u0bca'],
    ['e\u0302\u0301', '\u1ebf'],
    ['\u212b', '\u00c5'],
  ])('%s is %s', (spelled, name) => {
    expect(parseTokenName(spelled)).toBe(name);
  });
});

describe('names of any characters', () => {
  const PARTS = [
    ' ',
    'a',
    '1',
    '\u0301',
    '\u200c',
    '\u200d',
    '\ufe0f',
    '\u0645',
    '\u0915',
    '\u094d',
    '\u{1f469}',
    '\u00a0',
    '\u20e3',
    '\u{1f3fd}',
    '\u{e0067}',
  ];
  /** Every text of four of these. */
  const texts = PARTS.flatMap((a) => PARTS.flatMap((b) => PARTS.flatMap((c) => PARTS.map((d) => a + b + c + d))));
  const taken = texts.map(nameOf).filter((name) => name !== null);

  it('are refused in words, or are taken as they are taken again', () => {
    expect(taken.length).toBeGreaterThan(1_000);
    expect(taken.filter((name) => parseTokenName(name) !== name)).toEqual([]);
  });

  it('have one space between others, no joiner at an end or beside another, and no more than two marks in a row', () => {
    const odd =
      /^ | $| {2}|[^\S ]|^[\u200c\u200d]|[\u200c\u200d]{2}|\u200c$|\u200d$|[\w ][\u200c\u200d]|\p{M}\p{M}\p{Mn}{2}|\ufe0f\ufe0f/u;
    expect(taken.filter((name) => odd.test(name))).toEqual([]);
  });
});

/** The name as it is taken, or null where it is refused in words. */
function nameOf(text: string): string | null {
  try {
    return parseTokenName(text);
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid_request') return null;
    throw error;
  }
}

describe('a symbol', () => {
  it('has 1 to 10 bytes', () => {
    expect(parseTokenSymbol('HARBORLITE')).toBe('HARBORLITE');
    expect(parseTokenSymbol('ü'.repeat(5))).toBe('üüüüü');
    expect(() => parseTokenSymbol('HARBORLIGHT')).toThrow('symbol "HARBORLIGHT" has 11 bytes, 1 to 10 are allowed');
    expect(() => parseTokenSymbol('')).toThrow('0 bytes');
  });
});
