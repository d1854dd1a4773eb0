import { beforeAll, expect, test } from 'vitest';
import { insertSwaps } from '../support/market/swap-rows.ts';
import { address, launchTerms } from '../support/launch/launch-rows.ts';
import { errorOf } from '../support/api/errors-of.ts';
import { useMarketApp } from '../support/market/market-app.ts';

const NOW = new Date('2026-11-21T14:10:30Z');
const market = useMarketApp(() => ({ now: () => NOW }));
let mint: string;

/** A swap at a time of day with a price; slots follow the clock. */
function at(time: string, priceUsd: string, more: object = {}) {
  const blockTime = new Date(`2026-11-21T${time}Z`);
  const slot = BigInt(blockTime.getTime() / 1_000);
  return { blockTime, slot, priceQuote: `${Number(priceUsd) / 2}`, quoteUsd: '2', quoteRaw: 5_000_000n, ...more };
}

beforeAll(async () => {
  // A billion tokens: each is worth 2 USD, or 1 quote token, when the pool opens.
  const { opening } = launchTerms();
  const terms = { opening: { ...opening, marketCapUsd: '2000000000', quotePriceUsd: '2' } };
  ({ mint } = await market.launch({ terms }));
  await insertSwaps(market.db(), mint, [
    at('13:58:10', '4'),
    at('14:00:05', '6'),
    at('14:00:30', '3'),
    // In one second, so that only the order of the chain tells which is the last.
    at('14:00:59', '9', { slotOrder: 1 }),
    at('14:00:59', '5', { slotOrder: 2 }),
    at('14:03:00', '7', { baseRaw: 2_500_000_000n }),
    at('14:03:10', '1', { quoteUsd: null }),
  ]);
});

interface Candles {
  readonly data: { readonly candles: readonly Record<string, unknown>[]; readonly hasEarlier: boolean };
}

const urlOf = (of: string, query = '') => `/api/public/v1/tokens/${of}/candles${query}`;
const read = async (query = '') => (await market.app().inject(urlOf(mint, query))).json<Candles>().data;
const minute = (time: string) => `2026-11-21T${time}:00.000Z`;

test('a candle opens at the price before it and closes at its last trade in the order of the chain', async () => {
  const data = await read('?interval=1m&from=2026-11-21T14:00:00Z');
  expect(data).toEqual({
    mint,
    quoteMint: market.quoteMint,
    interval: '1m',
    currency: 'usd',
    candles: [
      {
        startedAt: minute('14:00'),
        open: 4,
        high: 9,
        low: 3,
        close: 5,
        volumeUsd: 40,
        volumeTokens: 4,
        volumeRaw: '4000000000',
        trades: 4,
      },
      {
        startedAt: minute('14:03'),
        open: 5,
        high: 7,
        low: 5,
        close: 7,
        volumeUsd: 10,
        volumeTokens: 2.5,
        volumeRaw: '2500000000',
        trades: 1,
      },
    ],
    hasEarlier: true,
  });
});

test('an answer says whether there is more before it, also one without a candle', async () => {
  const answered = async (query: string) => {
    const { candles, hasEarlier } = await read(query);
    return [candles.length, hasEarlier];
  };
  expect(await answered('?interval=1m&from=2026-11-21T18:00:00Z&to=2026-11-21T19:00:00Z')).toEqual([0, true]);
  expect(await answered('?interval=1m&from=2026-11-20T00:00:00Z&to=2026-11-20T01:00:00Z')).toEqual([0, false]);
  expect(await answered('?interval=1d')).toEqual([1, false]);
});

test('the first candle of all opens where the pool opened; longer spans hold everything', async () => {
  const { candles } = await read('?interval=1d');
  expect(candles).toMatchObject([{ startedAt: minute('00:00'), open: 2, high: 9, low: 2, close: 7, trades: 6 }]);
  const [first] = (await read('?interval=1m&limit=60')).candles;
  expect(first).toMatchObject({ open: 2, low: 2, high: 4, close: 4, trades: 1 });
});

test('in quote tokens, where trades without a USD price count too', async () => {
  const { candles } = await read('?interval=5m&currency=quote');
  expect(candles).toMatchObject([
    { startedAt: minute('13:55'), open: 1, close: 2 },
    { startedAt: minute('14:00'), open: 2, high: 4.5, low: 0.5, close: 0.5, volumeUsd: 50, trades: 6 },
  ]);
});

test.each([
  ['?interval=1m&limit=8', ['14:03']],
  ['?interval=1m&limit=11', ['14:00', '14:03']],
  ['?interval=1m&to=2026-11-21T14:02:00Z', ['13:58', '14:00']],
  ['?interval=1m&from=2026-11-21T14:00:45Z', ['14:00', '14:03']],
  ['?interval=1m&from=2026-11-21T14:03:00Z&to=2026-11-21T14:03:00Z', ['14:03']],
  ['?interval=15m', ['13:45', '14:00']],
  ['?interval=1h', ['13:00', '14:00']],
  ['?interval=4h', ['12:00']],
  ['?from=2026-11-20T00:00:00%2B02:00&to=2026-11-20T05:00:00Z', []],
  ['?from=2026-11-20T00:00:00+02:00&to=2026-11-20T05:00:00Z', []],
  ['?to=1969-12-31T23:59:59Z', []],
  ['?interval=1d&to=0000-01-01T00:00:00Z', []],
  // A time to come counts back from the next candle.
  ['?interval=1h&to=2731-01-01T00:00:00Z', ['13:00', '14:00']],
  ['?interval=1h&limit=2&to=9999-12-31T23:59:59Z', ['14:00']],
  ['?from=9999-12-31T00:00:00Z&to=9999-12-31T23:59:59.999Z', []],
])('%s holds the spans that begin at %s', async (query, times) => {
  expect((await read(query)).candles.map(({ startedAt }) => startedAt)).toEqual(times.map(minute));
});

test('a token without trades has no candles, an unknown one is 404', async () => {
  const { mint: quiet } = await market.launch();
  expect((await market.app().inject(urlOf(quiet))).json<Candles>().data.candles).toEqual([]);
  expect((await market.app().inject(urlOf(address()))).statusCode).toBe(404);
});

test.each([
  ['?interval=2m', 'interval'],
  ['?currency=eur', 'currency'],
  ['?limit=many', 'limit'],
  ['?from=yesterday', 'from'],
  ['?to=2026-11-21', 'to'],
  ['?to=2026-06-30T23:59:60Z', 'to'],
  ['?from=2026-11-21T15:00:00Z', 'from'],
  ['?from=2026-11-21T12:00:00Z&to=2026-11-21T11:00:00Z', 'from'],
])('%s is refused by name', async (query, name) => {
  const answer = await market.app().inject(urlOf(mint, query));
  expect([answer.statusCode, errorOf(answer).code]).toEqual([400, 'invalid_request']);
  expect(errorOf(answer).message).toContain(`"${name}"`);
});
