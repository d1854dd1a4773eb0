import { describe, expect, it } from 'vitest';
import * as buybackBudgets from '../../db/buyback/buyback-budgets.ts';
import { leftOf } from '../../db/buyback/buyback-budgets.ts';
import * as buybackRounds from '../../db/buyback/buyback-rounds.ts';
import * as flywheelTokens from '../../db/buyback/flywheel-tokens.ts';
import * as tokens from '../../db/tokens.ts';
import { address, signature } from '../support/launch/launch-rows.ts';
import { launchedToken } from '../support/launch/launched-token.ts';
import { bookHarvest } from '../support/fee-sweep/revenue-rows.ts';
import { useDatabase } from '../support/db/use-database.ts';
import { type Db, transaction } from '../../db/connect.ts';
import { ending } from '../support/money/due.ts';

const { db } = useDatabase();
const NOW = new Date('2026-11-21T12:00:00Z');
const DAY_MS = 86_400_000;
const since = new Date(NOW.getTime() - 7 * DAY_MS);

const launched = async () => (await launchedToken(db())).mint;
const purchaseOf = (mint: string, quoteMint: string, mostRaw = 10n) => ({
  kind: 'buyback' as const,
  mint,
  quoteMint,
  mostRaw,
  quoteUsd: null,
  priceSource: null,
  pricedAt: null,
});
const budgetOf = async (quoteMint: string, kind = 'buyback') =>
  (await buybackBudgets.all(db())).find((one) => one.quoteMint === quoteMint && one.kind === kind);

describe('budgets', () => {
  it('are the shares of each harvest, rounded down, as they were configured then', async () => {
    const [mint, quoteMint] = [await launched(), address()];
    await bookHarvest(db(), { mint, quoteMint }, { quoteRaw: 19n });
    await bookHarvest(db(), { mint, quoteMint }, { quoteRaw: 101n, buybackBps: 2_500, flywheelBps: 0 });
    // 9.5 and 25.25; 1.9.
    expect(await budgetOf(quoteMint)).toMatchObject({ allocatedRaw: 9n + 25n, spentRaw: 0n, symbol: null });
    expect(await budgetOf(quoteMint, 'flywheel')).toMatchObject({ allocatedRaw: 1n });
  });

  it('are spent by what final swaps took, not by what was planned', async () => {
    const [mint, quoteMint] = [await launched(), address()];
    await bookHarvest(db(), { mint, quoteMint }, { quoteRaw: 200n });
    const id = await buybackRounds.plan(db(), purchaseOf(mint, quoteMint, 100n));
    expect(leftOf((await budgetOf(quoteMint))!)).toBe(100n);
    const swap = { spentRaw: 60n, boughtRaw: 7n, signature: signature(), slot: 5n };
    expect(await buybackRounds.settleSwap(db(), id, swap)).toBe(true);
    expect(await buybackRounds.settleSwap(db(), id, { ...swap, spentRaw: 61n })).toBe(false);
    expect(leftOf((await budgetOf(quoteMint))!)).toBe(40n);
  });
});

describe('purchases', () => {
  it('are numbered without gaps, one open at a time; one that is taken back frees its number', async () => {
    const [mint, quoteMint] = [await launched(), address()];
    const first = await buybackRounds.plan(db(), purchaseOf(mint, quoteMint));
    expect(first).toBe(`buyback-${mint}-1`);
    await expect(buybackRounds.plan(db(), purchaseOf(mint, quoteMint))).rejects.toThrow('buyback_rounds_open');
    await ending(db(), (tx) => buybackRounds.lockPlanned(tx, first), buybackRounds.cancel);
    expect(await buybackRounds.plan(db(), purchaseOf(mint, quoteMint))).toBe(first);
    await buybackRounds.settleSwap(db(), first, { spentRaw: 1n, boughtRaw: 1n, signature: signature(), slot: 1n });
    await expect(ending(db(), (tx) => buybackRounds.lockPlanned(tx, first), buybackRounds.cancel)).rejects.toThrow(
      'not due',
    );
    expect([await buybackRounds.finish(db(), first), await buybackRounds.finish(db(), first)]).toEqual([true, false]);
    expect(await buybackRounds.plan(db(), purchaseOf(mint, quoteMint))).toBe(`buyback-${mint}-2`);
  });

  it('are not signed with a budget that was planned anew meanwhile', async () => {
    const purchase = purchaseOf(await launched(), address(), 10n);
    const id = await buybackRounds.plan(db(), purchase);
    const lock = (tx: Db) => buybackRounds.lockPlanned(tx, id);
    await ending(db(), lock, (unsigned) => buybackRounds.replan(unsigned, { ...purchase, mostRaw: 4n }));
    expect((await transaction(db(), lock))?.row.mostRaw).toBe(4n);
  });
});

describe('the ranking', () => {
  it('has the tokens of the highest fee revenue since then, best first, and marks exactly those', async () => {
    const [best, second, third, old, unpriced, hidden] = await Promise.all([1, 2, 3, 4, 5, 6].map(launched));
    const harvest = (mint: string | undefined, valueUsd: string, days: number) =>
      bookHarvest(
        db(),
        { mint: mint!, quoteMint: address() },
        { valueUsd, harvestedAt: new Date(NOW.getTime() - days * DAY_MS) },
      );
    await harvest(second, '1000000', 1);
    await harvest(best, '600000', 6);
    await harvest(best, '600000.5', 2);
    await harvest(third, '900000', 1);
    await harvest(old, '9000000', 8);
    await harvest(hidden, '9000000', 1);
    await bookHarvest(db(), { mint: unpriced!, quoteMint: address() }, { quoteUsd: null, valueUsd: null });
    await tokens.setHidden(db(), hidden!, true, { actor: 'test' });
    expect(await flywheelTokens.rank(db(), { since, tokens: 3 })).toBe(3);
    expect((await flywheelTokens.list(db())).map(({ mint, rank }) => [mint, rank])).toEqual([
      [best, 1],
      [second, 2],
      [third, 3],
    ]);
    const marked = async () =>
      (
        await db()
          .selectFrom('tokenMarkets')
          .select('mint')
          .where('flywheel', '=', true as never)
          .execute()
      ).length;
    expect(await marked()).toBe(3);
    await flywheelTokens.rank(db(), { since, tokens: 1 });
    expect(await marked()).toBe(1);
    await flywheelTokens.rank(db(), { since: new Date(NOW.getTime() + DAY_MS), tokens: 3 });
    expect(await marked()).toBe(0);
  });
});
