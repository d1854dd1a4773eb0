import { describe, expect, test } from 'vitest';
import * as prices from '../../db/prices/prices.ts';
import * as tokens from '../../db/tokens.ts';
import { address } from '../support/launch/launch-rows.ts';
import { rewardFacts } from '../support/launch/launched-token.ts';
import { insertDistribution, insertHarvest, insertPaidRound } from '../support/reward/reward-rows.ts';
import { errorOf } from '../support/api/errors-of.ts';
import { useMarketApp } from '../support/market/market-app.ts';

const market = useMarketApp();

const get = (url: string) => market.app().inject(`/api/public/v1${url}`);
const at = (hour: number) => new Date(Date.UTC(2026, 10, 20, hour));

/** What waits while neither the quote token nor the coin has a price. */
const PENDING = {
  pendingRaw: '4000000',
  pendingTokens: 4,
  pendingTaxUsd: 0,
  transferTaxBps: 300,
  minHoldingUsd: 20,
  minPayoutUsd: 0.05,
};

interface Overview {
  readonly launches: readonly { readonly mint: string }[];
  readonly recentDistributions: readonly { readonly signature: string }[];
}

type Paged = Overview & {
  readonly pagination: { readonly hasMore: boolean; readonly nextCursor: string | null };
};

/** The overview as it stands: each limit is an answer of its own, so that none is one that was kept. */
const overview = async (limit: number) => (await get(`/rewards?limit=${limit}`)).json<{ data: Overview }>().data;

describe('GET /tokens/{mint}/rewards', () => {
  test('a reward coin answers its totals, in the quote token and in USD as of each payment', async () => {
    const { mint } = await market.launch(rewardFacts(300));
    const roundId = '3f0c1c1e-7d1e-4a53-9a0c-7f6e3a1f0b11';
    await insertDistribution(market.db(), mint, {
      roundId,
      n: 4,
      paidRaw: 1_500_000n,
      valueUsd: '1.5',
      landedAt: at(1),
    });
    await insertDistribution(market.db(), mint, {
      roundId,
      n: 5,
      paidRaw: 2_000_001n,
      valueUsd: '2.000001',
      landedAt: at(1),
    });
    await insertDistribution(market.db(), mint, { paidRaw: 7n, valueUsd: null, landedAt: at(2) });
    await insertHarvest(market.db(), mint, { quoteRaw: 7_500_008n, landedAt: at(0) });
    const answer = await get(`/tokens/${mint}/rewards`);
    expect(answer.statusCode).toBe(200);
    expect(answer.json<{ data: object }>().data).toEqual({
      mint,
      mode: 'reward',
      base: null,
      quote: { mint: market.quoteMint, symbol: 'USDQ', decimals: 6 },
      rewards: {
        distributedRaw: '3500008',
        distributedTokens: 3.500008,
        distributedUsd: 3.500001,
        payoutCount: 6,
        holderCount: 0,
        roundCount: 2,
        transactionCount: 3,
        undistributedRaw: '4000000',
        undistributedTokens: 4,
        transferFee: { bps: 300 },
        pending: PENDING,
        ...PENDING,
        lastPayoutAt: at(2).toISOString(),
      },
    });
    expect(answer.headers['cache-control']).toContain('s-maxage=10');
  });

  test('what waits for the next round is valued by the present prices of the quote token and the coin', async () => {
    const db = market.db();
    const { mint } = await market.launch({ ...rewardFacts(100), market: { priceUsd: '0.0001' } });
    await insertHarvest(db, mint, { quoteRaw: 2_500_000n, baseRaw: 3_000_000_000_000n, landedAt: at(0) });
    const observedAt = new Date();
    await prices.record(db, [{ mint: market.quoteMint, usd: '1.02', source: 'test', observedAt }]);
    const answer = await get(`/tokens/${mint}/rewards`);
    expect(answer.json()).toMatchObject({
      data: { rewards: { pendingTokens: 2.5, pendingUsd: 2.55, pendingTaxUsd: 0.3, quotePriceUsd: 1.02 } },
    });
    await prices.record(db, [{ mint: market.quoteMint, usd: '1.02', source: 'test', observedAt: new Date(0) }]);
  });

  test('a reward coin whose holders were paid nothing yet answers zeros', async () => {
    const { mint } = await market.launch(rewardFacts(100));
    expect((await get(`/tokens/${mint}/rewards`)).json()).toMatchObject({
      data: {
        mode: 'reward',
        rewards: { distributedRaw: '0', distributedTokens: 0, payoutCount: 0, holderCount: 0, lastPayoutAt: null },
      },
    });
  });

  test('a standard launch answers its mode and null, which is no error', async () => {
    const { mint } = await market.launch();
    const answer = await get(`/tokens/${mint}/rewards`);
    expect([answer.statusCode, answer.json<{ data: object }>().data]).toEqual([
      200,
      { mint, mode: 'standard', message: 'a standard launch pays no holder rewards', rewards: null },
    ]);
  });

  test('a hidden coin still answers; an unknown mint and one that a fork withdrew are 404', async () => {
    const { mint } = await market.launch(rewardFacts(100));
    await tokens.setHidden(market.db(), mint, true, { actor: 'test' });
    expect((await get(`/tokens/${mint}/rewards`)).statusCode).toBe(200);
    const gone = await market.launch(rewardFacts(100));
    await tokens.withdraw(market.db(), gone.mint);
    for (const missing of [gone.mint, address()]) {
      const answer = await get(`/tokens/${missing}/rewards`);
      expect([answer.statusCode, errorOf(answer).code]).toEqual([404, 'not_found']);
    }
  });

  test('a mint that is none is 400, a query is ignored, another method is 405', async () => {
    const { mint } = await market.launch(rewardFacts(100));
    expect((await get("/tokens/x'--/rewards")).statusCode).toBe(400);
    expect((await get(`/tokens/${mint}/rewards?limit=5`)).statusCode).toBe(200);
    const post = await market.app().inject({ method: 'POST', url: `/api/public/v1/tokens/${mint}/rewards` });
    expect([post.statusCode, errorOf(post).code]).toEqual([405, 'method_not_allowed']);
  });
});

describe('GET /rewards', () => {
  test('pages by cursor answer every transaction once, also those of one moment, and the totals once', async () => {
    const db = market.db();
    const { mint } = await market.launch(rewardFacts(100));
    const [later, earlier] = [new Date(Date.UTC(2031, 0, 2)), new Date(Date.UTC(2031, 0, 1))];
    for (const landedAt of [later, later, later, earlier]) await insertDistribution(db, mint, { landedAt });
    const since = '2031-01-01T00:00:00Z';
    const all = (await get(`/rewards?since=${since}&limit=50`)).json<{ data: Paged }>().data;
    expect([all.launches.map((coin) => coin.mint), all.recentDistributions.length]).toEqual([[mint], 4]);
    const seen: string[] = [];
    let cursor = '';
    for (let page = 0; page < 4; page++) {
      const answer = await get(`/rewards?since=${since}&limit=1${cursor}`);
      const { launches, recentDistributions, pagination } = answer.json<{ data: Paged }>().data;
      seen.push(...recentDistributions.map(({ signature }) => signature));
      expect([launches.length, pagination.hasMore]).toEqual([page === 0 ? 1 : 0, page < 3]);
      cursor = `&cursor=${pagination.nextCursor}`;
    }
    expect(seen).toEqual(all.recentDistributions.map(({ signature }) => signature));
    // Out of the way of the other tests' newest rows.
    await tokens.setHidden(db, mint, true, { actor: 'test' });
  });

  test('since leaves out coins and transactions that paid before; a cursor of nothing is 400 in words', async () => {
    const { launches, recentDistributions } = (await get('/rewards?since=2032-01-01T00:00:00+0000')).json<{
      data: Overview;
    }>().data;
    expect([launches, recentDistributions]).toEqual([[], []]);
    const refused = await get('/rewards?cursor=bm90aGluZw');
    expect([refused.statusCode, errorOf(refused).message]).toEqual([
      400,
      'query parameter "cursor" is not the `nextCursor` of an earlier answer',
    ]);
  });

  test('every coin that has paid, by what it paid; the newest transactions, cut to the limit; hidden coins are left out', async () => {
    const db = market.db();
    const [rich, poor, hidden] = await Promise.all([1, 2, 3].map(() => market.launch(rewardFacts(100))));
    const newest = await insertDistribution(db, poor!.mint, { valueUsd: '1', paidRaw: 1_000_000n, landedAt: at(23) });
    const wealth = { valueUsd: null, paidRaw: 9_000_250_000n, recipients: 12, landedAt: at(22) };
    const older = await insertDistribution(db, rich!.mint, wealth);
    await insertDistribution(db, hidden!.mint, { valueUsd: '99999', landedAt: at(23) });
    await tokens.setHidden(db, hidden!.mint, true, { actor: 'test' });
    const { launches, recentDistributions, ...rest } = await overview(99);
    const pagination = { limit: 99, hasMore: false, nextCursor: null };
    expect(rest).toEqual({ baseDistributions: [], recentBaseDistributions: [], pagination });
    expect(launches[0]).toEqual({
      mint: rich!.mint,
      name: 'Harbour Light',
      symbol: 'HARBOR',
      quote: { mint: market.quoteMint, symbol: 'USDQ', decimals: 6 },
      distributedRaw: '9000250000',
      distributedTokens: 9_000.25,
      distributedUsd: 0,
      payoutCount: 12,
      holderCount: 0,
      roundCount: 1,
      transactionCount: 1,
      lastPayoutAt: at(22).toISOString(),
    });
    expect(launches.map(({ mint }) => mint)).not.toContain(hidden!.mint);
    const amounts = { amountTokens: 1, amountRaw: '1000000', amountUsd: 1, holderCount: 2, slot: 5_000 };
    const names = { symbol: 'HARBOR', quoteMint: market.quoteMint, quoteSymbol: 'USDQ' };
    expect(recentDistributions[0]).toEqual({
      signature: newest,
      mint: poor!.mint,
      ...names,
      ...amounts,
      distributedAt: at(23).toISOString(),
    });
    expect(recentDistributions[1]).toMatchObject({ signature: older, mint: rich!.mint, holderCount: 12 });
    expect(recentDistributions[1]).not.toHaveProperty('amountUsd');
    const one = await overview(1);
    expect([one.launches.length, one.recentDistributions.length]).toEqual([launches.length, 1]);
  });

  test('a wallet that is paid in several rounds is one holder and several payouts', async () => {
    const { mint } = await market.launch(rewardFacts(100));
    const [first, second] = [address(), address()];
    await insertPaidRound(market.db(), mint, [first, second]);
    await insertPaidRound(market.db(), mint, [first]);
    expect((await get(`/tokens/${mint}/rewards`)).json()).toMatchObject({
      data: { rewards: { payoutCount: 3, holderCount: 2, roundCount: 2 } },
    });
  });

  test('a limit out of range is the nearest in range, what is unknown is ignored, what is no integer is 400', async () => {
    for (const query of ['?limit=0', '?limit=10000', '?page=2'])
      expect((await get(`/rewards${query}`)).statusCode).toBe(200);
    for (const query of ['?limit=x', '?limit=1.5', '?limit=1;drop table tokens']) {
      const answer = await get(`/rewards${query}`);
      expect([query, answer.statusCode]).toEqual([query, 400]);
    }
    expect(errorOf(await get('/rewards?limit=x')).message).toContain('"limit"');
  });

  test('stands in the document with the tag Data, as does that of a token', async () => {
    const { paths } = (await get('/openapi.json')).json<{ paths: Record<string, { get: { tags: string[] } }> }>();
    expect(paths['/rewards']?.get.tags).toEqual(['Data']);
    expect(paths['/tokens/{mint}/rewards']?.get.tags).toEqual(['Data']);
  });
});
