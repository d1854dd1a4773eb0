import { describe, expect, test } from 'vitest';
import * as tokens from '../../db/tokens.ts';
import { address } from '../support/launch/launch-rows.ts';
import { rewardFacts } from '../support/launch/launched-token.ts';
import { insertDistribution, insertHarvest, insertPaidRound } from '../support/reward/reward-rows.ts';
import { errorOf } from '../support/api/errors-of.ts';
import { useMarketApp } from '../support/market/market-app.ts';

const market = useMarketApp();

const get = (url: string) => market.app().inject(`/api/public/v1${url}`);
const at = (hour: number) => new Date(Date.UTC(2026, 10, 20, hour));

interface Overview {
  readonly launches: readonly { readonly mint: string }[];
  readonly recentDistributions: readonly { readonly signature: string }[];
}

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
        lastPayoutAt: at(2).toISOString(),
      },
    });
    expect(answer.headers['cache-control']).toContain('s-maxage=10');
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
  test('every coin that has paid, by what it paid; the newest transactions, cut to the limit; hidden coins are left out', async () => {
    const db = market.db();
    const [rich, poor, hidden] = await Promise.all([1, 2, 3].map(() => market.launch(rewardFacts(100))));
    const newest = await insertDistribution(db, poor!.mint, { valueUsd: '1', paidRaw: 1_000_000n, landedAt: at(23) });
    const wealth = { valueUsd: null, paidRaw: 9_000_250_000n, recipients: 12, landedAt: at(22) };
    const older = await insertDistribution(db, rich!.mint, wealth);
    await insertDistribution(db, hidden!.mint, { valueUsd: '99999', landedAt: at(23) });
    await tokens.setHidden(db, hidden!.mint, true, { actor: 'test' });
    const { launches, recentDistributions, ...rest } = await overview(99);
    expect(rest).toEqual({ baseDistributions: [], recentBaseDistributions: [] });
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
