import { describe, expect, it } from 'vitest';
import { availableRaw, shortfallRaw } from '../../domain/inventory.ts';
import { type BalanceState, tokenBalance } from '../../domain/token-balance.ts';
import {
  leastOfferRaw,
  leastReceivedRaw,
  lessBps,
  RESTOCK_FEE_LAMPORTS,
  RESTOCK_FLOAT_LAMPORTS,
  restockAmounts,
  type RestockLimits,
  type RestockMeans,
} from '../../domain/restock/restock.ts';

const SOL = 1_000_000_000n;
const EXTRA = RESTOCK_FLOAT_LAMPORTS + RESTOCK_FEE_LAMPORTS;
const limits: RestockLimits = {
  maxLamportsPerRound: 2n * SOL,
  maxLamportsPerDay: 10n * SOL,
  minTreasuryLamports: 5n * SOL,
  maxSlippageBps: 100,
  maxImpactBps: 200,
  maxBelowMedianBps: 500,
};
const means: RestockMeans = {
  costLamports: SOL,
  spentLamports: 0n,
  treasuryLamports: 100n * SOL,
  committedLamports: 0n,
};
const amounts = (changes: Partial<RestockMeans>) => restockAmounts({ ...means, ...changes }, limits);

describe('a restock swaps', () => {
  it.each<[string, Partial<RestockMeans>, bigint]>([
    ['what is missing', {}, SOL],
    ['no more than one round may', { costLamports: 3n * SOL }, 2n * SOL],
    ['what is left of the day', { spentLamports: 9n * SOL }, SOL - EXTRA],
    ['what the treasury need not keep', { treasuryLamports: 6n * SOL }, SOL - EXTRA],
    ['what open rounds leave', { treasuryLamports: 8n * SOL, committedLamports: 2n * SOL }, SOL - EXTRA],
  ])('%s', (_what, changes, lamports) => {
    expect(amounts(changes)).toEqual({ lamports, budgetLamports: lamports + EXTRA });
  });

  it.each<[string, Partial<RestockMeans>, string]>([
    ['after a day’s limit is spent', { spentLamports: 10n * SOL }, 'spent 10000000000 lamports within 24 hours'],
    ['from a treasury at its least', { treasuryLamports: 5n * SOL }, 'holds no more than 5000000000 lamports'],
    ['while open rounds may take all', { treasuryLamports: 7n * SOL, committedLamports: 2n * SOL }, 'no more than'],
    ['crumbs', { costLamports: 9_999_999n }, 'is not worth its fees'],
  ])('nothing %s', (_what, changes, reason) => {
    expect(amounts(changes)).toContain(reason);
  });
});

describe('an offer', () => {
  const least = (presentRaw: bigint, medianRaw: bigint) => leastOfferRaw({ presentRaw, medianRaw }, limits);

  it('brings what present and median prices say, less the bound of each', () => {
    expect(least(10_000n, 10_000n)).toBe(9_800n);
    // Somebody moved the token up: a little is paid beyond the median, not a fifth.
    expect(least(9_600n, 10_000n)).toBe(9_500n);
    expect(least(8_334n, 10_000n)).toBe(9_500n);
    // The token fell: nothing is paid beyond what it costs now.
    expect(least(12_000n, 10_000n)).toBe(11_760n);
  });

  it('is signed with no more slippage than leaves what the median prices say', () => {
    const received = (offerRaw: bigint) =>
      leastReceivedRaw(offerRaw, { presentRaw: 9_600n, medianRaw: 10_000n }, limits);
    expect([received(10_000n), received(9_500n)]).toEqual([9_900n, 9_500n]);
  });
});

describe('an inventory', () => {
  const books = { reservedRaw: 3n, reserveRaw: 2n, setAsideRaw: 1n, toBurnRaw: 0n };
  const held = (raw: bigint, state: BalanceState = 'open') => tokenBalance(state, raw);

  it('has for sale what open launches, the reserve and purchases with revenue leave', () => {
    expect(availableRaw({ ...held(10n), ...books })).toBe(4n);
    expect(availableRaw({ ...held(10n), ...books, toBurnRaw: 3n })).toBe(1n);
    expect(availableRaw({ ...held(5n), ...books })).toBe(0n);
  });

  it('has nothing for sale while its account is frozen or belongs to another wallet', () => {
    expect(availableRaw({ ...held(10n, 'frozen'), ...books })).toBe(0n);
    expect(availableRaw({ ...held(10n, 'foreign'), ...books })).toBe(0n);
  });

  it('is filled up to its mark once it is below the other', () => {
    const marks = { belowRaw: 10n, toRaw: 30n };
    expect([9n, 10n].map((available) => shortfallRaw(available, marks))).toEqual([21n, 0n]);
  });

  it('loses no more than a share, rounded up', () => {
    expect([lessBps(10_000n, 100), lessBps(1n, 100), lessBps(7n, 0), lessBps(0n, 100)]).toEqual([9_900n, 1n, 7n, 0n]);
  });
});
