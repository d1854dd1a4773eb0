import { describe, expect, test } from 'vitest';
import { toInteger, toNumber, toNumberOrNull, toPercent, toSol, toTokens } from '../../../api/answers/numbers.ts';

describe('a figure', () => {
  test.each([
    ['0', 0],
    ['-3.25', -3.25],
    ['0.0000000001', 1e-10],
    ['1234567890.0000000003', 1_234_567_890],
    ['0.1000000000000000055511151231257827', 0.1],
  ])('%s is answered as the double next to it', (decimal, number) => {
    expect(toNumber(decimal)).toBe(number);
  });

  test.each(['', ' 1', '1e5', '0x10', 'NaN', 'Infinity', '1.', '.5', '+1', '1,5', '--1'])('"%s" is none', (text) => {
    expect(() => toNumber(text)).toThrow(RangeError);
  });

  test('that is not known stays unknown', () => {
    expect([toNumberOrNull(null), toNumberOrNull('0')]).toEqual([null, 0]);
  });
});

describe('an amount', () => {
  test.each([
    [0n, 9, 0],
    [1n, 9, 0.000000001],
    [1_500_000_000n, 9, 1.5],
    [5n, 0, 5],
    [-7n, 6, -0.000007],
    [18_446_744_073_709_551_615n, 0, 18_446_744_073_709_552_000],
  ])('of %s raw units with %s decimals is %s tokens', (raw, decimals, tokens) => {
    expect(toTokens(raw, decimals)).toBe(tokens);
  });

  test('in lamports is SOL with nine digits', () => {
    expect(toSol(290_000_001n)).toBe(0.290000001);
  });
});

describe('a count', () => {
  test('is the same as a number', () => {
    expect([toInteger(0n), toInteger('290000000'), toInteger(9_007_199_254_740_991n)]).toEqual([
      0, 290_000_000, 9_007_199_254_740_991,
    ]);
  });

  test.each([9_007_199_254_740_992n, '1.5', 'ten', '-9007199254740993'])(
    'that a double does not hold is refused: %s',
    (value) => {
      expect(() => toInteger(value)).toThrow(RangeError);
    },
  );
});

test('a share is in percent, to a millionth of one', () => {
  expect([toPercent(1n, 3n), toPercent(0n, 3n), toPercent(10n ** 16n + 1n, 10n ** 18n)]).toEqual([33.333333, 0, 1]);
});
