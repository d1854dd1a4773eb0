import { describe, expect, it } from 'vitest';
import { leastBalances } from '../../domain/reward/least-balances.ts';
import { lamportsInToken, rawWorthAtLeast, reachesUsd } from '../../domain/reward/usd-amounts.ts';
import { spendableUsd } from '../support/trading/spendable.ts';

describe('the balance that counts', () => {
  it('is the least of all observations; who was absent from one held nothing', () => {
    const least = leastBalances([
      new Map([
        ['a', 5n],
        ['b', 9n],
        ['c', 3n],
      ]),
      new Map([
        ['a', 7n],
        ['b', 2n],
        ['d', 8n],
      ]),
      new Map([
        ['a', 6n],
        ['b', 4n],
        ['c', 3n],
        ['d', 8n],
      ]),
    ]);
    expect([...least]).toEqual([
      ['a', 5n],
      ['b', 2n],
    ]);
    expect(leastBalances([])).toEqual(new Map());
  });
});

describe('amounts by prices', () => {
  it('are the fewest raw units that are worth as much', () => {
    expect(rawWorthAtLeast('20', 9, spendableUsd('0.00001'))).toBe(2_000_000_000_000_000n);
    expect(rawWorthAtLeast('0.05', 6, spendableUsd('1'))).toBe(50_000n);
    // 20 / 0.03 is 666.666…: one raw unit less would be worth less than 20.
    expect(rawWorthAtLeast('20', 2, spendableUsd('0.03'))).toBe(66_667n);
    expect(rawWorthAtLeast('0.05', 0, spendableUsd('64250.5'))).toBe(1n);
  });

  it('of lamports are rounded up', () => {
    // 2,039,280 lamports at 150 USD are 0.305892 USD.
    expect(lamportsInToken(2_039_280n, { solUsd: spendableUsd('150'), tokenUsd: spendableUsd('1'), decimals: 6 })).toBe(
      305_892n,
    );
    expect(
      lamportsInToken(2_039_280n, { solUsd: spendableUsd('150'), tokenUsd: spendableUsd('64250.5'), decimals: 8 }),
    ).toBe(477n);
  });

  it('are summed exactly', () => {
    expect(reachesUsd(['0.0499999999', '0.0000000001'], ['0.05'])).toBe(true);
    expect(reachesUsd(['0.0499999999'], ['0.05'])).toBe(false);
    expect(reachesUsd([], ['0'])).toBe(true);
    expect(reachesUsd(['0.1'], ['0.05', '0.05'])).toBe(true);
    expect(reachesUsd(['0.0999'], ['0.05', '0.05'])).toBe(false);
  });
});
