import { describe, expect, it } from 'vitest';
import { readAims, useOf } from '../../activities/buyback/targets.ts';
import { sharesOf } from '../../activities/fee-sweep/shares.ts';
import * as buybackBudgets from '../../db/buyback/buyback-budgets.ts';
import { leftOf } from '../../db/buyback/buyback-budgets.ts';
import * as flywheelTokens from '../../db/buyback/flywheel-tokens.ts';
import { bookHarvest } from '../support/fee-sweep/revenue-rows.ts';
import { address } from '../support/launch/launch-rows.ts';
import { launchedToken } from '../support/launch/launched-token.ts';
import { useDatabase } from '../support/db/use-database.ts';

const { db } = useDatabase();
const RULES = { leastUsd: '1', buybackBps: 5_000, flywheelBps: 1_000, platformToken: null };
const BUYS = {
  platformToken: null,
  leastUsd: '1',
  rankedTokens: 10,
  rankedDays: 7,
  averageMinutes: 30,
  limits: { maxImpactBps: 100, maxBelowAverageBps: 100, maxSlippageBps: 100 },
};

/** Mint and quote token of a new token. */
async function launched(quoteMint: string = address()): Promise<{ readonly mint: string; readonly quoteMint: string }> {
  const { mint } = await launchedToken(db(), { token: { quoteMint } });
  return { mint, quoteMint };
}

describe('a token of the ranking', () => {
  it('is bought with the share of its own revenue, never with what others of its quote token have earned', async () => {
    const old = await launched();
    const ranked = await launched(old.quoteMint);
    const since = new Date('2026-11-20T00:00:00Z');
    const before = new Date('2026-10-01T00:00:00Z');
    await bookHarvest(db(), old, { quoteRaw: 1_000_000n, flywheelBps: 1_000, harvestedAt: before });
    await bookHarvest(db(), ranked, { quoteRaw: 20_000n, flywheelBps: 1_000 });
    expect(await flywheelTokens.rank(db(), { since, tokens: 10 })).toBe(1);
    const aims = await readAims({ db: db(), rules: BUYS });
    const budget = (await buybackBudgets.all(db())).find(({ kind }) => kind === 'flywheel')!;
    expect(leftOf(budget)).toBe(102_000n);
    const bought = { kind: 'flywheel', mint: ranked.mint, quoteMint: ranked.quoteMint, mostRaw: 2_000n };
    expect(useOf(aims, budget, leftOf(budget))).toEqual([bought]);
  });
});

describe('the holders’ share of revenue', () => {
  it('is set aside only of quote tokens that the platform token can be bought with', async () => {
    const { mint: platformToken, quoteMint } = await launched();
    const configured = { buybackBps: 5_000, flywheelBps: 1_000 };
    expect(await sharesOf(db(), { ...RULES, platformToken }, quoteMint)).toEqual(configured);
    expect(await sharesOf(db(), { ...RULES, platformToken }, address())).toEqual({ ...configured, buybackBps: 0 });
    expect(await sharesOf(db(), RULES, address())).toEqual(configured);
  });
});
