import { describe, expect, test } from 'vitest';
import * as tokens from '../../db/tokens.ts';
import { address } from '../support/launch/launch-rows.ts';
import { rewardFacts } from '../support/launch/launched-token.ts';
import { insertDistribution } from '../support/reward/reward-rows.ts';
import { errorOf } from '../support/api/errors-of.ts';
import { useMarketApp } from '../support/market/market-app.ts';

const market = useMarketApp();

const get = (url: string) => market.app().inject(`/api/public/v1${url}`);
const at = (hour: number) => new Date(Date.UTC(2026, 10, 20, hour));

interface Overview {
  readonly totals: { readonly coins: number; readonly transactions: number; readonly paidUsd: string };
  readonly tokens: readonly { readonly mint: string }[];
  readonly distributions: readonly { readonly signature: string }[];
}

/** The overview as it stands: each limit is an answer of its own, so that none is one that was kept. */
const overview = async (limit: number) =>
  (await get(`/rewards?limit=${limit}`)).json<{ data: Overview; meta: object }>();

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
    const answer = await get(`/tokens/${mint}/rewards`);
    expect(answer.statusCode).toBe(200);
    expect(answer.json<{ data: object }>().data).toEqual({
      mint,
      mode: 'reward',
      rewards: {
        transferFee: { bps: 300 },
        quoteMint: market.quoteMint,
        quoteSymbol: 'USDQ',
        paid: '3.500008',
        paidRaw: '3500008',
        paidUsd: '3.500001',
        rounds: 2,
        transactions: 3,
        lastPaidAt: at(2).toISOString(),
      },
    });
    expect(answer.headers['cache-control']).toContain('s-maxage=10');
  });

  test('a reward coin whose holders were paid nothing yet answers zeros', async () => {
    const { mint } = await market.launch(rewardFacts(100));
    expect((await get(`/tokens/${mint}/rewards`)).json()).toMatchObject({
      data: { mode: 'reward', rewards: { paid: '0', paidRaw: '0', paidUsd: '0', rounds: 0, lastPaidAt: null } },
    });
  });

  test('a standard launch answers its mode and null, which is no error', async () => {
    const { mint } = await market.launch();
    const answer = await get(`/tokens/${mint}/rewards`);
    expect([answer.statusCode, answer.json<{ data: object }>().data]).toEqual([
      200,
      { mint, mode: 'standard', rewards: null },
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

  test('a mint that is none is 400, as is a query; another method is 405', async () => {
    const { mint } = await market.launch(rewardFacts(100));
    expect((await get("/tokens/x'--/rewards")).statusCode).toBe(400);
    expect((await get(`/tokens/${mint}/rewards?limit=5`)).statusCode).toBe(400);
    const post = await market.app().inject({ method: 'POST', url: `/api/public/v1/tokens/${mint}/rewards` });
    expect([post.statusCode, errorOf(post).code]).toEqual([405, 'method_not_allowed']);
  });
});

describe('GET /rewards', () => {
  test('coins by what was paid, transactions newest first, both cut to the limit; hidden coins are left out', async () => {
    const db = market.db();
    const before = (await overview(100)).data;
    const [rich, poor, hidden] = await Promise.all([1, 2, 3].map(() => market.launch(rewardFacts(100))));
    const newest = await insertDistribution(db, poor!.mint, { valueUsd: '1', paidRaw: 1_000_000n, landedAt: at(23) });
    const older = await insertDistribution(db, rich!.mint, { valueUsd: '9000.25', recipients: 12, landedAt: at(22) });
    await insertDistribution(db, hidden!.mint, { valueUsd: '99999', landedAt: at(23) });
    await tokens.setHidden(db, hidden!.mint, true, { actor: 'test' });
    const { data, meta } = await overview(99);
    expect(data.tokens.slice(0, 1)).toMatchObject([{ mint: rich!.mint, paidUsd: '9000.25', quoteSymbol: 'USDQ' }]);
    expect(data.tokens.map(({ mint }) => mint)).not.toContain(hidden!.mint);
    expect(data.distributions.slice(0, 2)).toMatchObject([
      { signature: newest, mint: poor!.mint, amount: '1', amountRaw: '1000000', valueUsd: '1', recipients: 2 },
      { signature: older, mint: rich!.mint, recipients: 12, slot: 5_000, time: at(22).toISOString() },
    ]);
    expect(data.totals.coins).toBe(before.totals.coins + 2);
    expect(Number(data.totals.paidUsd)).toBeCloseTo(Number(before.totals.paidUsd) + 9_001.25, 6);
    expect(meta).toMatchObject({ total: data.totals.coins });
    const one = await overview(1);
    expect([one.data.tokens.length, one.data.distributions.length]).toEqual([1, 1]);
    expect(one.data.totals).toEqual(data.totals);
  });

  test('a limit that is none is 400 and says so', async () => {
    for (const query of ['?limit=0', '?limit=101', '?limit=x', '?page=2', '?limit=1;drop table tokens']) {
      const answer = await get(`/rewards${query}`);
      expect([query, answer.statusCode]).toEqual([query, 400]);
    }
    expect(errorOf(await get('/rewards?limit=0')).message).toContain('"limit"');
  });

  test('stands in the document with the tag Data, as does that of a token', async () => {
    const { paths } = (await get('/openapi.json')).json<{ paths: Record<string, { get: { tags: string[] } }> }>();
    expect(paths['/rewards']?.get.tags).toEqual(['Data']);
    expect(paths['/tokens/{mint}/rewards']?.get.tags).toEqual(['Data']);
  });
});
