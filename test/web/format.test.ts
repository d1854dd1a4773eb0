import { expect, test } from 'vitest';
import { amountProblem, typedAmount } from '../../web/format/amounts.ts';
import { count, number, significant, sol } from '../../web/format/numbers.ts';
import { ago, moment } from '../../web/format/texts.ts';

const compact = new Intl.NumberFormat('en-US', {
  notation: 'compact',
  maximumSignificantDigits: 4,
  useGrouping: false,
});
const plain = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 4 });
const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const axis = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 5, useGrouping: false });

/** Of every size that a price or a total has. */
const SIZES = Array.from({ length: 28 }, (_, index) => 1.23456789 * 10 ** (index - 12));
/** Where rounding carries over, and where it does not yet. */
const EDGES = [
  0, 1, 10, 999, 999.94, 999.96, 999.999, 1_000, 9_999.6, 999_940, 999_960, 999_999_999, 5e-7, 0.1, 0.30000000000000004,
];
const NUMBERS = [...SIZES, ...EDGES];

test.each([...NUMBERS, ...NUMBERS.filter(Boolean).map((value) => -value)])(
  '%d is shown as browsers show it in English',
  (value) => {
    const expected = Math.abs(Number(value.toPrecision(4))) < 1_000 ? plain : compact;
    expect(number(value)).toBe(expected.format(value));
    expect(significant(value, 5)).toBe(axis.format(value));
  },
);

test.each([0, 7, 999, 1_000, 1_234_567, -1_234])('%d is counted in groups of three', (value) => {
  expect(count(value)).toBe(whole.format(value));
});

test('lamports are shown as SOL, exactly', () => {
  expect([0n, 1n, 1_500_000_000n, 1_234_000_000_001n].map(sol)).toEqual([
    '0 SOL',
    '0.000000001 SOL',
    '1.5 SOL',
    '1,234.000000001 SOL',
  ]);
});

test('what is not known is shown as such', () => {
  expect([number(null), count(undefined)]).toEqual(['–', '–']);
});

test('a moment is told by its distance', () => {
  const now = Date.parse('2026-03-05T09:07:02Z');
  const before = (seconds: number) => ago(new Date(now - seconds * 1_000).toISOString(), now);
  expect([0, 1, 59, 60, 3_599, 3_600, 86_399, 86_400, 864_000, -61].map(before)).toEqual([
    'now',
    '1s ago',
    '59s ago',
    '1m ago',
    '59m ago',
    '1h ago',
    '23h ago',
    '1d ago',
    '10d ago',
    'in 1m',
  ]);
});

test('a moment is told in the reader’s time zone', () => {
  expect(moment('2026-03-05T09:07:02Z')).toBe(
    new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' }).format(
      new Date('2026-03-05T09:07:02Z'),
    ),
  );
});

test.each([
  ['1000', '1000'],
  ['0.5', '0.5'],
  ['0,5', '0.5'],
  ['0,125', '0.125'],
  ['12.345', '12.345'],
])('an amount typed as %s is %s', (typed, amount) => {
  expect([typedAmount(typed), amountProblem(typed)]).toEqual([amount, null]);
});

test('an amount that means thousands to some and a fraction to others is refused, not guessed', () => {
  expect([typedAmount('1,000'), typedAmount('12,000,000')]).toEqual([null, null]);
  expect(amountProblem('1,000')).toBe('1,000 could be read in two ways: write 1000, or a point before a fraction.');
});

test.each(['0', '-1', '1e3', '1.000,5', '.5', 'many'])('%s is no amount', (typed) => {
  expect([typedAmount(typed), amountProblem(typed)]).toEqual([null, 'An amount above 0 in digits, as 1000 or 0.5.']);
});

test('where nothing was typed nothing is wrong yet', () => {
  expect([typedAmount(''), amountProblem('')]).toEqual([null, null]);
});
