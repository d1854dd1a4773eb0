import { expect, test } from 'vitest';
import { countTrading } from '../../activities/market/count-trading.ts';
import { findListedToken } from '../../db/market/listed-token.ts';
import { address } from '../support/launch/launch-rows.ts';
import { useMarketApp } from '../support/market/market-app.ts';
import { insertSwaps } from '../support/market/swap-rows.ts';

const market = useMarketApp();
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Counts as if so much time had passed. */
const count = (laterMs = 0) =>
  countTrading({ db: market.db(), now: () => new Date(Date.now() + laterMs), heartbeat: () => {} });

/** Read past the cache of answers. */
async function figuresOf(mint: string): Promise<Record<string, unknown>> {
  const token = await findListedToken(market.db(), mint);
  const { priceChange1hPercent, priceChange6hPercent, trades24h, traders24h } = token!;
  return { priceChange1hPercent, priceChange6hPercent, trades24h, traders24h };
}

const ago = (hours: number) => new Date(Date.now() - hours * HOUR_MS);

test('trades, wallets and changes follow from the swaps of their windows, and leave with them', async () => {
  const [one, other] = [address(), address()];
  const { mint } = await market.launch({ market: { priceUsd: '0.00003' } });
  await insertSwaps(market.db(), mint, [
    { blockTime: ago(25), priceQuote: '0.00001', wallet: one },
    { blockTime: ago(7), priceQuote: '0.00002', wallet: one },
    { blockTime: ago(2), priceQuote: '0.00004', wallet: one },
    { blockTime: ago(0.5), priceQuote: '0.00003', wallet: other },
  ]);
  expect(await figuresOf(mint)).toMatchObject({ trades24h: null, priceChange1hPercent: null });
  await count();
  const figures = { priceChange1hPercent: '-25', priceChange6hPercent: '50', trades24h: 3, traders24h: 2 };
  expect(await figuresOf(mint)).toEqual(figures);
  const response = await market.app().inject(`/api/public/v1/tokens/${mint}`);
  expect(response.json<{ data: { token: { market: object } } }>().data.token.market).toMatchObject({
    priceChange1h: -25,
    priceChange6h: 50,
    trades24h: 3,
    traders24h: 2,
  });
  await count(40 * HOUR_MS);
  expect(await figuresOf(mint)).toMatchObject({ priceChange1hPercent: '0', trades24h: 0, traders24h: 0 });
});

test('a younger token is measured against its opening price; one without an earlier price has no change', async () => {
  const { mint: young } = await market.launch({ market: { priceUsd: '0.0000150036' } });
  const { mint: unpriced } = await market.launch();
  await insertSwaps(market.db(), unpriced, [{ blockTime: ago(8), quoteUsd: null }]);
  await count();
  expect(await figuresOf(young)).toMatchObject({ priceChange1hPercent: '200', trades24h: 0 });
  expect(await figuresOf(unpriced)).toMatchObject({ priceChange1hPercent: null, trades24h: 1, traders24h: 1 });
});

test('a token is counted once a minute while it trades, and no more once its last trade is a day old', async () => {
  await market.launch();
  await count(80 * HOUR_MS);
  expect(await count(80 * HOUR_MS + MINUTE_MS)).toBe(0);
  const { mint } = await market.launch();
  expect(await count()).toBeGreaterThan(0);
  expect(await count(30_000)).toBe(0);
  await insertSwaps(market.db(), mint, [{ blockTime: ago(1) }]);
  expect(await count(2 * MINUTE_MS)).toBeGreaterThan(0);
  expect(await figuresOf(mint)).toMatchObject({ trades24h: 1 });
});
