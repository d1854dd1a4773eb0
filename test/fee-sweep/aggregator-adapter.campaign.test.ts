import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApi } from '../../client/http/api.ts';
import { readRevenue } from '../../client/verify/revenue/shown-revenue.ts';
import { movedBy } from '../../client/verify/statement/movement-rows.ts';
import * as walletManifest from '../../db/platform/wallet-manifest.ts';
import { SEED_PAIRS } from '../../dev/seed/local-pairs.ts';
import type { Collected } from '../../integrations/dimension-adapters/fees/slipway/collections.ts';
import { prepareClaim, submitClaim, untilClaim } from '../support/claim/claimant.ts';
import { type AggregatorSources, booked, collectionsOf } from '../support/fee-sweep/aggregator.ts';
import { type FeeFixture, type FeeMarket, startFeeFixture } from '../support/fee-sweep/fee-sweep-platform.ts';
import { eventually } from '../support/platform/eventually.ts';

const SHARE = { bps: 5_000n, quoteMint: null };
const coral = SEED_PAIRS.find(({ symbol }) => symbol === 'CORAL')!;

let ground: FeeFixture;
let sources: AggregatorSources;
let claimedRaw: bigint;
let collected: Map<string, Collected[]>;
beforeAll(async () => {
  ground = await startFeeFixture();
  const { api, chain, db } = ground.platform;
  sources = { api: `${await api.listen({ host: '127.0.0.1', port: 0 })}/api/public/v1`, rpc: chain.rpcUrl };
  const wallets = (['treasury', 'platform', 'rewards'] as const).map((role) => {
    return { role, address: ground.wallets[role].toBase58() };
  });
  await walletManifest.noteOwn(db, wallets, 1n);
  claimedRaw = await tradeAndCollect();
  collected = await collectionsByDay();
});
afterAll(() => ground.close());

/** Trades two tokens, claims the creator's fees of one and sweeps the platform's of both. Returns the claimed quote tokens. */
async function tradeAndCollect(): Promise<bigint> {
  const markets = [
    await ground.open({ mode: 'standard', feeTier: '1%' }),
    await ground.open({ mode: 'standard', feeTier: '2%', quoteMint: coral.mint }),
  ];
  for (const [index, market] of markets.entries()) {
    await market.tradeSeen('buy', index === 0 ? 5_000_000_007n : 9_000_000_000_007n);
    await market.tradeSeen('sell', (await market.holdings(market.trader.publicKey)).base / 2n);
  }
  const claimed = await claim(markets[0]!);
  expect(await ground.run()).toBe(2);
  return claimed;
}

async function claim({ mint, creator }: FeeMarket): Promise<bigint> {
  const prepared = await prepareClaim(ground.platform, mint, creator.keypair);
  expect(await submitClaim(ground.platform, prepared, creator.keypair)).toMatchObject({ http: 200 });
  await untilClaim(ground.platform, prepared.intentId, 'finalized');
  return BigInt(prepared.amounts.quote.amountRaw);
}

/** The history, once it has so many harvests: responses are kept for a moment. */
function historyWith(harvests: number) {
  const api = createApi({ url: sources.api });
  return eventually(async () => {
    const history = await api.ask('GET /revenue/history');
    return history.coverage.revenueRows === harvests ? history : null;
  }, `a history of ${harvests} harvests`);
}

async function collectionsByDay(): Promise<Map<string, Collected[]>> {
  const { days } = await historyWith(2);
  const byDay = new Map<string, Collected[]>();
  for (const { date } of days) byDay.set(date, await collectionsOf(sources, date));
  return byDay;
}

describe('the adapter of a revenue aggregator', () => {
  it('reads from the chain what the API says of each day, to the cent', async () => {
    const { days } = await historyWith(2);
    const read = days.map(({ date }) => {
      const { dailyRevenue, dailyHoldersRevenue, dailyProtocolRevenue } = booked(collected.get(date) ?? [], SHARE);
      return [date, dailyRevenue.usd(), dailyHoldersRevenue.usd(), dailyProtocolRevenue.usd()];
    });
    const told = days.map(({ date, dailyRevenue, dailyHoldersRevenue, dailyProtocolRevenue }) => {
      return [date, ...[dailyRevenue, dailyHoldersRevenue, dailyProtocolRevenue].map((usd) => usd.toFixed(2))];
    });
    expect(read).toEqual(told);
    expect(days.some(({ dailyRevenue }) => dailyRevenue > 20)).toBe(true);
  });

  it('takes for revenue the same transactions and amounts as slipway verify revenue', async () => {
    const { statements } = await readRevenue(createApi({ url: sources.api }));
    const stated = statements.flatMap(({ rows, quoteMint }) =>
      rows.map((row) => `${row.signature} ${quoteMint} ${movedBy(row).quote}`),
    );
    const read = [...collected.values()]
      .flat()
      .filter(({ to }) => to === 'treasury')
      .map(({ signature, mint, amount }) => `${signature} ${mint} ${amount}`);
    expect(read.toSorted()).toEqual(stated.toSorted());
  });

  it('has a creator’s claim in the fees and on the supply side, and no swap, dev buy or burn anywhere', () => {
    const { dailyFees, dailyRevenue, dailySupplySideRevenue } = booked([...collected.values()].flat(), SHARE);
    expect([...dailySupplySideRevenue.raw.values()]).toEqual([claimedRaw]);
    const [mint = ''] = dailySupplySideRevenue.raw.keys();
    expect(dailyFees.raw.get(mint)).toBe(claimedRaw + (dailyRevenue.raw.get(mint) ?? 0n));
    expect([...collected.values()].flat()).toHaveLength(3);
  });

  it('differs by exactly one harvest where the API hides it', async () => {
    const { db } = ground.platform;
    const hidden = await db
      .selectFrom('feeHarvests')
      .selectAll()
      .where('quoteMint', '=', coral.mint.toBase58())
      .executeTakeFirstOrThrow();
    await db.transaction().execute(async (tx) => {
      await sql`set local session_replication_role = replica`.execute(tx);
      await tx.deleteFrom('feeHarvests').where('purpose', '=', hidden.purpose).execute();
      await sql`update revenue_days set harvests = harvests - 1, revenue_usd = revenue_usd - ${hidden.valueUsd}
        where day = to_char(${hidden.harvestedAt}::timestamptz at time zone 'UTC', 'YYYY-MM-DD')`.execute(tx);
    });
    const history = await historyWith(1);
    const told = history.days.reduce((sum, { dailyRevenue }) => sum + dailyRevenue, 0);
    const read = Number(booked([...collected.values()].flat(), SHARE).dailyRevenue.usd());
    expect(Number(hidden.valueUsd)).toBeGreaterThan(0.05);
    expect((read - told).toFixed(2)).toBe(Number(hidden.valueUsd).toFixed(2));
  });
});
