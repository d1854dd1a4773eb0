import { describe, expect, it } from 'vitest';
import { greatestAcceptable, isWithinImpact, leastPoolOut, lessBpsUp } from '../../domain/trading/limits.ts';

describe('the impact of a swap', () => {
  it('is within bounds up to them, in either direction', () => {
    // Square roots: a price that falls to 99 % has a root of 99.498…%.
    const [before, at, beyond] = [10n ** 18n, 994_987_437_106_619_955n, 994_987_437_106_619_954n];
    expect(isWithinImpact(before, at, 100)).toBe(true);
    expect(isWithinImpact(before, beyond, 100)).toBe(false);
    expect(isWithinImpact(at, before, 100)).toBe(true);
    expect(isWithinImpact(beyond, before, 100)).toBe(false);
    expect(isWithinImpact(before, before, 1)).toBe(true);
  });
});

describe('the least that a pool must give', () => {
  const order = { feePpm: 10_000, baseDecimals: 9, quoteDecimals: 6, averagePrice: '0.00002' } as const;

  it('is the input less the fee at the average price, less the tolerance', () => {
    // 1,000,000 tokens less 1 % at 0.00002 are 19.8; 5 % less are 18.81.
    expect(leastPoolOut({ ...order, side: 'sell', poolIn: 10n ** 15n }, 500)).toBe(18_810_000n);
    expect(leastPoolOut({ ...order, side: 'sell', poolIn: 10n ** 15n }, 0)).toBe(19_800_000n);
    // 20 quote tokens less 1 % buy 990,000.
    expect(leastPoolOut({ ...order, side: 'buy', poolIn: 20_000_000n }, 0)).toBe(990_000n * 10n ** 9n);
  });

  it('is rounded up', () => {
    expect(leastPoolOut({ ...order, side: 'sell', poolIn: 10n ** 9n, averagePrice: '0.0000011' }, 0)).toBe(2n);
    expect(lessBpsUp(101n, 100)).toBe(100n);
  });

  it('is not computed with a price that is none', () => {
    for (const averagePrice of ['0', '-1', 'NaN']) {
      expect(() => leastPoolOut({ ...order, side: 'sell', poolIn: 1n, averagePrice }, 0)).toThrow(
        'is no price above zero',
      );
    }
  });
});

describe('the greatest acceptable amount', () => {
  it.each([0n, 1n, 2n, 77n, 999_999n, 1_000_000n])('is %s where everything beyond is refused', (bound) => {
    expect(greatestAcceptable(1_000_000n, (amount) => amount <= bound)).toBe(bound);
  });

  it('is asked for in few steps, however large the amount', () => {
    let asked = 0;
    greatestAcceptable(10n ** 18n, (amount) => (asked++, amount <= 12_345n));
    expect(asked).toBeLessThan(62);
    expect(greatestAcceptable(0n, () => true)).toBe(0n);
  });
});
