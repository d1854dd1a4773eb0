import { beforeAll, expect, test } from 'vitest';
import { address } from '../support/launch/launch-rows.ts';
import { insertSwaps } from '../support/market/swap-rows.ts';
import { errorOf } from '../support/api/errors-of.ts';
import { useMarketApp } from '../support/market/market-app.ts';
import { expectReadUnlessWithdrawn } from '../support/market/read-rules.ts';

const market = useMarketApp();
let mint: string;

beforeAll(async () => {
  ({ mint } = await market.launch());
});

interface Trades {
  readonly data: {
    readonly trades: readonly { readonly signature: string }[];
    readonly pagination: { readonly nextCursor: string | null };
  };
}

const urlOf = (of: string, query = '') => `/api/public/v1/tokens/${of}/trades${query}`;
const read = async (of: string, query = '') => (await market.app().inject(urlOf(of, query))).json<Trades>();

test('a trade has its amounts as decimals and raw, prices of the moment, and whether it is final', async () => {
  const wallet = address();
  const swap = { slot: 77n, wallet, side: 'sell' as const, baseRaw: 1_500_000_000n, quoteRaw: 7_500_001n };
  const prices = { priceQuote: '0.0000051', quoteUsd: '2' };
  const [signature] = await insertSwaps(market.db(), mint, [{ ...swap, ...prices, finalized: false }]);
  expect((await read(mint)).data).toEqual({
    mint,
    quoteMint: market.quoteMint,
    trades: [
      {
        signature,
        index: 0,
        slot: 77,
        tradedAt: '2026-11-21T14:00:00.000Z',
        side: 'sell',
        wallet,
        amountTokens: 1.5,
        amountRaw: '1500000000',
        quoteTokens: 7.500001,
        quoteRaw: '7500001',
        priceQuote: 0.0000051,
        priceUsd: 0.0000102,
        valueUsd: 15.000002,
        finalized: false,
      },
    ],
    pagination: { limit: 25, hasMore: false, nextCursor: null },
  });
});

test('a trade of a moment without a price has none', async () => {
  const { mint: unpriced } = await market.launch();
  await insertSwaps(market.db(), unpriced, [{ quoteUsd: null }]);
  expect((await read(unpriced)).data.trades).toMatchObject([{ priceUsd: null, valueUsd: null, priceQuote: 0.000005 }]);
});

test('pages come in the order of the chain and do not move when trades are added while one reads', async () => {
  const { mint: busy } = await market.launch();
  const made = await insertSwaps(market.db(), busy, [
    { slot: 1n },
    { slot: 2n, slotOrder: 1 },
    { slot: 2n, slotOrder: 0 },
    { slot: 3n, slotOrder: 0 },
    { slot: 3n, slotOrder: 0, signature: '1'.repeat(64), index: 0 },
    { slot: 3n, slotOrder: 0, signature: '1'.repeat(64), index: 1 },
  ]);
  const seen: string[] = [];
  for (let query = '?limit=2'; query;) {
    const { data } = await read(busy, query);
    seen.push(...data.trades.map(({ signature }) => signature));
    await insertSwaps(market.db(), busy, [{ slot: 9n }]);
    const { nextCursor } = data.pagination;
    query = nextCursor === null ? '' : `?limit=2&cursor=${nextCursor}`;
  }
  const [oldest, later, earlier, other, first, second] = made;
  expect(seen).toEqual([other, second, first, later, earlier, oldest]);
});

test('a hidden token can still be read, a withdrawn and an unknown one are 404', async () => {
  await expectReadUnlessWithdrawn(market, urlOf);
});

test.each([
  ['?cursor=abc', 'cursor'],
  [`?cursor=${Buffer.from('["1",0,"x",0]').toString('base64url')}`, 'cursor'],
  [`?cursor=${Buffer.from('{"slot":1}').toString('base64url')}`, 'cursor'],
  ['?limit=x', 'limit'],
])('%s is refused by name', async (query, name) => {
  const answer = await market.app().inject(urlOf(mint, query));
  expect([answer.statusCode, errorOf(answer).code]).toEqual([400, 'invalid_request']);
  expect(errorOf(answer).message).toContain(`"${name}"`);
});

test('a mint that is no address is 400, and SQL in a cursor stays text', async () => {
  expect((await market.app().inject(urlOf('not-a-mint'))).statusCode).toBe(400);
  const sql = Buffer.from(JSON.stringify(['1', 0, "'; drop table swaps; --", 0])).toString('base64url');
  expect((await market.app().inject(urlOf(mint, `?cursor=${sql}`))).statusCode).toBe(400);
  expect((await read(mint)).data.trades).toHaveLength(1);
});
