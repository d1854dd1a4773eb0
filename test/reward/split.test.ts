import { describe, expect, it } from 'vitest';
import { splitBudget } from '../../client/verify/round/split.ts';
import { type RewardCandidate, splitRewards } from '../../domain/reward/split-among-holders.ts';

/** The same numbers in every run (a linear congruential generator modulo 2^31). */
function numbers(seed: number): (below: bigint) => bigint {
  let state = BigInt(seed);
  return (below) => {
    state = (state * 1_103_515_245n + 12_345n) % 2n ** 31n;
    return (state * below) / 2n ** 31n;
  };
}

/** Any split: holders from dust to whales, a third of them without an account. */
function anySplit(seed: number) {
  const next = numbers(seed);
  const candidates = Array.from({ length: 1 + Number(next(40n)) }, (_, index): RewardCandidate => ({
    owner: `owner-${String(index).padStart(3, '0')}`,
    balanceRaw: 1n + next(10n ** (1n + next(18n))),
    rentRaw: next(3n) === 0n ? 300_000n : 0n,
  }));
  return { candidates, budgetRaw: next(10n ** (1n + next(12n))), minimumRaw: 1n + next(60_000n) };
}

/** The same by definition: whoever stands worst leaves until everybody who is left qualifies. */
function byElimination(budgetRaw: bigint, candidates: readonly RewardCandidate[], minimumRaw: bigint) {
  const group = [...candidates];
  for (;;) {
    const total = group.reduce((sum, { balanceRaw }) => sum + balanceRaw, 0n);
    const paid = group.map((one) => ({ ...one, share: total === 0n ? 0n : (budgetRaw * one.balanceRaw) / total }));
    if (paid.every(({ share, rentRaw }) => share - rentRaw >= minimumRaw)) return paid;
    const due = (one: RewardCandidate) => minimumRaw + one.rentRaw;
    group.sort((a, b) => Number(b.balanceRaw * due(a) - a.balanceRaw * due(b)) || (a.owner < b.owner ? -1 : 1));
    group.pop();
  }
}

const SEEDS = Array.from({ length: 400 }, (_, index) => index + 1);

describe('any split', () => {
  it('is recomputed to the unit by the client, which has the published rule alone', () => {
    for (const seed of SEEDS) {
      const { candidates, budgetRaw, minimumRaw } = anySplit(seed);
      const { shares, restRaw } = splitRewards(budgetRaw, candidates, minimumRaw);
      const amounts = shares.map(({ owner, balanceRaw, rentRaw, amountRaw }) => ({
        owner,
        balanceRaw,
        rentRaw,
        amountRaw,
      }));
      expect(splitBudget(budgetRaw, candidates, minimumRaw)).toEqual({ shares: amounts, restRaw });
    }
  });

  it('gives away exactly the budget, but for less than one raw unit a head', () => {
    for (const seed of SEEDS) {
      const { candidates, budgetRaw, minimumRaw } = anySplit(seed);
      const { shares, restRaw } = splitRewards(budgetRaw, candidates, minimumRaw);
      const given = shares.reduce((sum, { amountRaw, rentRaw }) => sum + amountRaw + rentRaw, 0n);
      expect(given + restRaw, `seed ${seed}`).toBe(budgetRaw);
      if (shares.length > 0) expect(restRaw, `seed ${seed}`).toBeLessThan(BigInt(shares.length));
    }
  });

  it('pays nobody less than the least payout, and nobody twice', () => {
    for (const seed of SEEDS) {
      const { candidates, budgetRaw, minimumRaw } = anySplit(seed);
      const { shares } = splitRewards(budgetRaw, candidates, minimumRaw);
      for (const { amountRaw } of shares) expect(amountRaw >= minimumRaw, `seed ${seed}`).toBe(true);
      expect(new Set(shares.map(({ owner }) => owner)).size).toBe(shares.length);
    }
  });

  it('gives who holds more at least as much', () => {
    for (const seed of SEEDS) {
      const { candidates, budgetRaw, minimumRaw } = anySplit(seed);
      const { shares } = splitRewards(budgetRaw, candidates, minimumRaw);
      const ascending = [...shares].sort((a, b) => (a.balanceRaw < b.balanceRaw ? -1 : 1));
      ascending.forEach(({ shareRaw }, index) => {
        expect(shareRaw >= (ascending[index - 1]?.shareRaw ?? 0n), `seed ${seed}`).toBe(true);
      });
      // Of those who need no account, nobody is left out who holds more than somebody who is paid.
      const least = shares.filter(({ rentRaw }) => rentRaw === 0n).at(-1);
      const out = candidates.filter((one) => one.rentRaw === 0n && !shares.some(({ owner }) => owner === one.owner));
      for (const { balanceRaw } of out) if (least) expect(balanceRaw <= least.balanceRaw, `seed ${seed}`).toBe(true);
    }
  });

  it('is the one that elimination of the worst, one by one, comes to', () => {
    for (const seed of SEEDS) {
      const { candidates, budgetRaw, minimumRaw } = anySplit(seed);
      const { shares } = splitRewards(budgetRaw, candidates, minimumRaw);
      const expected = byElimination(budgetRaw, candidates, minimumRaw);
      const byOwner = (rows: readonly { owner: string }[]) => [...rows].sort((a, b) => (a.owner < b.owner ? -1 : 1));
      expect(byOwner(shares.map(({ owner, shareRaw }) => ({ owner, shareRaw }))), `seed ${seed}`).toEqual(
        byOwner(expected.map(({ owner, share }) => ({ owner, shareRaw: share }))),
      );
    }
  });
});

describe('a split', () => {
  const holder = (owner: string, balanceRaw: bigint, rentRaw = 0n) => ({ owner, balanceRaw, rentRaw });

  it('pays a share that just reaches the minimum, and not one that is a raw unit below', () => {
    const paid = splitRewards(1_000n, [holder('a', 950n), holder('b', 50n)], 50n);
    expect(paid.shares.map(({ amountRaw }) => amountRaw)).toEqual([950n, 50n]);
    const refused = splitRewards(1_000n, [holder('a', 951n), holder('b', 49n)], 50n);
    expect(refused.shares).toMatchObject([{ owner: 'a', amountRaw: 1_000n }]);
  });

  it('deducts the rent of a missing account, and pays who still reaches the minimum', () => {
    const { shares, restRaw } = splitRewards(1_000n, [holder('a', 500n, 300n), holder('b', 500n)], 200n);
    expect(shares).toMatchObject([
      { owner: 'b', shareRaw: 500n, amountRaw: 500n },
      { owner: 'a', shareRaw: 500n, amountRaw: 200n, rentRaw: 300n },
    ]);
    expect(restRaw).toBe(0n);
    expect(splitRewards(1_000n, [holder('a', 500n, 301n), holder('b', 500n)], 200n).shares).toMatchObject([
      { owner: 'b', amountRaw: 1_000n },
    ]);
  });

  it('of nothing, or among nobody, leaves all of it', () => {
    expect(splitRewards(0n, [holder('a', 1n)], 1n)).toEqual({ shares: [], restRaw: 0n });
    expect(splitRewards(77n, [], 1n)).toEqual({ shares: [], restRaw: 77n });
    expect(() => splitRewards(77n, [], 0n)).toThrow('the least payout is 1 raw unit, got 0');
  });
});
