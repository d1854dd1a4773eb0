import { describe, expect, it } from 'vitest';
import { formatUnits, lamports, parseUnits } from '../../domain/amounts.ts';

describe('an amount in its smallest unit', () => {
  it.each([
    [0n, 9, '0'],
    [1n, 9, '0.000000001'],
    [1_500_000_000n, 9, '1.5'],
    [1_000_000_000n, 9, '1'],
    [10n, 1, '1'],
    [123n, 0, '123'],
    [100n, 0, '100'],
    [-1_500_000_000n, 9, '-1.5'],
    [-1n, 2, '-0.01'],
    [18_446_744_073_709_551_615n, 9, '18446744073.709551615'],
    [10n ** 38n + 1n, 18, '100000000000000000000.000000000000000001'],
  ])('%s with %i decimals reads %s', (value, decimals, text) => {
    expect(formatUnits(value, decimals)).toBe(text);
  });

  it.each([
    ['0', 9, 0n],
    ['0.000000001', 9, 1n],
    ['1.5', 9, 1_500_000_000n],
    ['001.50', 9, 1_500_000_000n],
    ['42', 0, 42n],
    ['18446744073.709551615', 9, 18_446_744_073_709_551_615n],
  ])('"%s" with %i decimals is %s', (text, decimals, value) => {
    expect(parseUnits(text, decimals)).toBe(value);
  });

  it('survives the way there and back', () => {
    for (const value of [0n, 1n, 999_999_999n, 10n ** 9n, 2n ** 64n - 1n, 2n ** 96n]) {
      for (const decimals of [0, 1, 6, 9, 18]) expect(parseUnits(formatUnits(value, decimals), decimals)).toBe(value);
    }
  });

  it.each([
    '',
    '.',
    '1.',
    '.5',
    '-1',
    '+1',
    '1e3',
    '1,5',
    '1_000',
    ' 1',
    '0x1',
    '١',
    'NaN',
    '1.0000000001',
    '9'.repeat(31),
  ])('is not "%s"', (text) => {
    expect(() => parseUnits(text, 9)).toThrow(`"${text}" is not a decimal number with at most 9 fraction digits`);
  });

  it('is never negative as lamports', () => {
    expect(lamports(0n)).toBe(0n);
    expect(() => lamports(-1n)).toThrow('an amount of lamports cannot be negative, got -1');
  });
});
