import { describe, expect, it } from 'vitest';
import { parseTokenName, parseTokenSymbol } from '../../domain/launch/token-names.ts';

describe('a name', () => {
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

describe('a symbol', () => {
  it('has 1 to 10 bytes', () => {
    expect(parseTokenSymbol('HARBORLITE')).toBe('HARBORLITE');
    expect(parseTokenSymbol('ü'.repeat(5))).toBe('üüüüü');
    expect(() => parseTokenSymbol('HARBORLIGHT')).toThrow('symbol "HARBORLIGHT" has 11 bytes, 1 to 10 are allowed');
    expect(() => parseTokenSymbol('')).toThrow('0 bytes');
  });
});
