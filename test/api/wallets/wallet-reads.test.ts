import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import * as claims from '../../../db/claim/claims.ts';
import { countPositions, listPositions } from '../../../db/claim/wallet-positions.ts';
import * as prices from '../../../db/prices/prices.ts';
import { listDays } from '../../../db/reward/wallet-payouts.ts';
import * as tokens from '../../../db/tokens.ts';
import { errorOf } from '../../support/api/errors-of.ts';
import { issueClaim } from '../../support/claim/issued-claim.ts';
import { address, signature } from '../../support/launch/launch-rows.ts';
import { rewardFacts } from '../../support/launch/launched-token.ts';
import { useMarketApp } from '../../support/market/market-app.ts';
import { insertSwaps } from '../../support/market/swap-rows.ts';
import { insertPaidRound } from '../../support/reward/reward-rows.ts';

const NOW = new Date('2026-11-26T12:00:00Z');
const market = useMarketApp(() => ({ now: () => NOW }));

const get = (url: string, headers: Record<string, string> = {}) =>
  market.app().inject({ url: `/api/public/v1${url}`, headers });

interface Pagination {
  readonly nextCursor: string | null;
}

interface Rewards {
  readonly days: readonly { readonly date: string; readonly mint: string; readonly amountRaw: string }[];
  readonly payouts: readonly { readonly signature: string; readonly amountRaw: string; readonly paidAt: string }[];
  readonly pagination: Pagination;
}

const rewardsOf = async (wallet: string, query = '') =>
  (await get(`/wallets/${wallet}/rewards${query}`)).json<{ data: Rewards }>().data;

/** Every row of a list, page by page. */
async function walk<Name extends string, Row>(url: string, name: Name, limit: number): Promise<Row[]> {
  const rows: Row[] = [];
  for (let cursor = ''; ;) {
    const { data } = (await get(`${url}?limit=${limit}${cursor}`)).json<{
      data: { pagination: Pagination } & Record<Name, Row[]>;
    }>();
    rows.push(...data[name]);
    if (data.pagination.nextCursor === null) return rows;
    cursor = `&cursor=${data.pagination.nextCursor}`;
  }
}

const day = (date: number, hour: number) => new Date(Date.UTC(2026, 10, date, hour));

/** A wallet that two coins paid: three rounds of the first on two days, one of the second. */
async function paidWallet() {
  const [wallet, other] = [address(), address()];
  const first = await market.launch(rewardFacts(100));
  const second = await market.launch(rewardFacts(300));
  const paid = [
    { mint: first.mint, landedAt: day(24, 23), amountRaw: 1n },
    { mint: first.mint, landedAt: day(25, 1), amountRaw: 20n },
    { mint: second.mint, landedAt: day(25, 2), amountRaw: 300n },
    { mint: first.mint, landedAt: day(25, 3), amountRaw: 4_000n },
  ];
  for (const { mint, ...facts } of paid) await insertPaidRound(market.db(), mint, [wallet, other], facts);
  return { wallet, first: first.mint, second: second.mint };
}

test('a wallet’s rewards are each payment with its transaction, and sums by day and coin', async () => {
  const { wallet, first, second } = await paidWallet();
  const { days, payouts } = await rewardsOf(wallet);
  expect(payouts.map(({ amountRaw }) => amountRaw)).toEqual(['4000', '300', '20', '1']);
  expect(new Set(payouts.map(({ signature }) => signature)).size).toBe(4);
  expect(payouts[0]).toMatchObject({ date: '2026-11-25', paidAt: '2026-11-25T03:00:00.000Z', mint: first });
  expect(days.map(({ date, mint, amountRaw }) => [date, mint, amountRaw])).toEqual([
    ...[
      ['2026-11-25', first, '4020'],
      ['2026-11-25', second, '300'],
    ].toSorted(([, a = ''], [, b = '']) => (a < b ? -1 : 1)),
    ['2026-11-24', first, '1'],
  ]);
});

test('pages of a wallet’s rewards have each payment once, and `since` leaves out earlier ones', async () => {
  const { wallet } = await paidWallet();
  const { payouts } = await rewardsOf(wallet);
  expect(await walk(`/wallets/${wallet}/rewards`, 'payouts', 1)).toEqual(payouts);
  const later = await rewardsOf(wallet, '?since=2026-11-25T02:00:00Z');
  expect(later.payouts).toEqual(payouts.slice(0, 2));
  // Whole days: a sum of half a day would look like one of a day.
  expect(later.days.map(({ amountRaw }) => amountRaw).toSorted()).toEqual(['300', '4020']);
});

test('of a wallet with more payments than are summed, the days are those that the newest ones cover whole', async () => {
  const { wallet } = await paidWallet();
  const daysOf = async (mostPayouts: number) => {
    const days = await listDays(market.db(), wallet, { since: day(1, 0), mostPayouts, mostRows: 100 });
    return days.map(({ date, amountRaw }) => [date, amountRaw]).toSorted();
  };
  const newest = [
    ['2026-11-25', 300n],
    ['2026-11-25', 4_020n],
  ];
  expect(await daysOf(4)).toEqual([['2026-11-24', 1n], ...newest]);
  expect(await daysOf(3)).toEqual(newest);
  expect(await daysOf(2)).toEqual([]);
});

test('a cursor of another wallet or list is refused', async () => {
  const { wallet } = await paidWallet();
  const { nextCursor: cursor } = (await rewardsOf(wallet, '?limit=1')).pagination;
  const foreign = [`${address()}/rewards`, `${wallet}/claims`, `${wallet}/trades`, wallet];
  for (const path of foreign) {
    const refused = await get(`/wallets/${path}?cursor=${cursor}`);
    expect([refused.statusCode, errorOf(refused).code], path).toEqual([400, 'invalid_request']);
  }
});

test('who prefers CSV gets the payments as CSV, and a link to the next page', async () => {
  const { wallet } = await paidWallet();
  const { payouts } = await rewardsOf(wallet);
  const answer = await get(`/wallets/${wallet}/rewards?limit=3`, { accept: 'text/csv' });
  const [head = '', ...lines] = answer.body.trimEnd().split('\r\n');
  expect([answer.headers['content-type'], answer.headers.vary]).toEqual(['text/csv; charset=utf-8', 'accept']);
  expect(head).toMatch(/^date,paidAt,mint,symbol,quoteMint,quoteSymbol,amountTokens,amountRaw,valueUsd,signature,/);
  expect(lines.map((line) => line.split(',')[7])).toEqual(payouts.slice(0, 3).map(({ amountRaw }) => amountRaw));
  const next = /^<(\?[^>]+)>; rel="next"$/.exec(String(answer.headers.link))?.[1] ?? '';
  const rest = await get(`/wallets/${wallet}/rewards${next}`, { accept: 'text/csv' });
  expect([rest.body.trimEnd().split('\r\n').length, rest.headers.link]).toEqual([2, undefined]);
});

test.each([
  ['*/*', false],
  ['text/csv;q=0.5, application/json', false],
  ['application/json;q=0.5, text/csv', true],
  ['text/html', false],
])('Accept: %s is answered as CSV: %s', async (accept, isCsv) => {
  const { headers } = await get(`/wallets/${address()}/rewards`, { accept });
  expect(String(headers['content-type']).startsWith('text/csv')).toBe(isCsv);
});

test('a symbol that a spreadsheet would run as a formula is text in the CSV', async () => {
  const { mint } = await market.launch({ ...rewardFacts(100), token: { ...rewardFacts(100).token, symbol: '=1+1,"' } });
  const wallet = address();
  await insertPaidRound(market.db(), mint, [wallet]);
  expect((await get(`/wallets/${wallet}/rewards`, { accept: 'text/csv' })).body).toContain(`,"'=1+1,""",`);
});

test('a wallet’s claims are those that paid it, page by page, and none that was only prepared', async () => {
  const { mint } = await market.launch();
  const wallet = address();
  await prices.record(market.db(), [{ mint: market.quoteMint, usd: '2', source: 'fixed', observedAt: new Date() }]);
  const paid = [];
  for (const state of ['relayed', 'finalized', 'finalized', 'issued'] as const) {
    const intentId = randomUUID();
    await issueClaim(market.db(), intentId, { mint, nonceAccount: address(), wallet });
    if (state === 'issued') continue;
    await claims.submit(market.db(), intentId, signature(), null);
    await claims.transition(market.db(), intentId, ['submitted'], 'relaying');
    await claims.transition(market.db(), intentId, ['relaying'], 'relayed', { slot: 9n });
    if (state === 'finalized') await claims.transition(market.db(), intentId, ['relayed'], 'finalized', { slot: 9n });
    paid.unshift({ intentId, mint, baseRaw: '5', quoteRaw: '6', slot: 9, finalized: state === 'finalized' });
  }
  const { data } = (await get(`/wallets/${wallet}/claims`)).json<{ data: { claims: object[] } }>();
  expect(data.claims).toMatchObject(paid);
  expect(await walk(`/wallets/${wallet}/claims`, 'claims', 1)).toEqual(data.claims);
  const csv = await get(`/wallets/${wallet}/claims?limit=2`, { accept: 'text/csv' });
  const [head = '', ...lines] = csv.body.trimEnd().split('\r\n');
  expect(head).toMatch(/^intentId,mint,symbol,.*,paidAt,valueUsd$/);
  expect(lines.map((line) => line.split(',')[0])).toEqual(paid.slice(0, 2).map(({ intentId }) => intentId));
  expect(csv.headers.link).toMatch(/^<\?limit=2&cursor=[^>]+>; rel="next"$/);
});

test('a claim is worth both amounts at the prices when it was paid, and nothing is guessed without one', async () => {
  const claimOf = async (facts: { readonly quoteUsd: string | null; readonly isTraded: boolean }) => {
    const { mint } = await market.launch();
    const [wallet, intentId] = [address(), randomUUID()];
    await market.db().deleteFrom('priceObservations').execute();
    if (facts.quoteUsd !== null)
      await prices.record(market.db(), [
        { mint: market.quoteMint, usd: facts.quoteUsd, source: 'fixed', observedAt: new Date() },
      ]);
    if (facts.isTraded) await insertSwaps(market.db(), mint, [{ slot: 8n, priceQuote: '0.5' }]);
    await issueClaim(market.db(), intentId, { mint, nonceAccount: address(), wallet });
    await claims.submit(market.db(), intentId, signature(), null);
    await claims.transition(market.db(), intentId, ['submitted'], 'relaying');
    await claims.transition(market.db(), intentId, ['relaying'], 'relayed', { slot: 9n });
    return (await get(`/wallets/${wallet}/claims`)).json<{ data: { claims: { valueUsd: number | null }[] } }>().data
      .claims[0];
  };
  // 6 raw units with 6 decimals at 2 USD; 5 with 9 decimals at half a quote token.
  expect(await claimOf({ quoteUsd: '2', isTraded: true })).toMatchObject({ valueUsd: 0.000012005 });
  expect(await claimOf({ quoteUsd: '2', isTraded: false })).toMatchObject({ valueUsd: null });
  expect(await claimOf({ quoteUsd: null, isTraded: true })).toMatchObject({ valueUsd: null });
});

test('a wallet’s trades are those of all tokens, newest first, page by page', async () => {
  const [first, second] = [await market.launch(), await market.launch()];
  const wallet = address();
  await insertSwaps(market.db(), first.mint, [
    { wallet, slot: 10n },
    { slot: 11n },
    { wallet, slot: 12n, side: 'sell' },
  ]);
  await insertSwaps(market.db(), second.mint, [{ wallet, slot: 11n }]);
  const url = `/wallets/${wallet}/trades`;
  const { data } = (await get(url)).json<{ data: { trades: object[] } }>();
  expect(data.trades).toMatchObject([
    { mint: first.mint, slot: 12, side: 'sell', valueUsd: 0.005 },
    { mint: second.mint, slot: 11, side: 'buy', amountTokens: 1 },
    { mint: first.mint, slot: 10, side: 'buy' },
  ]);
  expect(await walk(url, 'trades', 1)).toEqual(data.trades);
});

test('nothing of a token that a fork withdrew is listed', async () => {
  const { mint } = await market.launch();
  const wallet = address();
  await insertSwaps(market.db(), mint, [{ wallet }]);
  await tokens.withdraw(market.db(), mint);
  expect((await get(`/wallets/${wallet}/trades`)).json()).toMatchObject({ data: { trades: [] } });
});

test('a wallet that is no address of 32 bytes, and a cursor of another list, are malformed', async () => {
  const short = '1'.repeat(33);
  const foreign = Buffer.from('["1"]').toString('base64url');
  for (const path of ['', '/rewards', '/claims', '/trades']) {
    expect(errorOf(await get(`/wallets/${short}${path}`))).toMatchObject({ code: 'invalid_request' });
    const mine = path === '' ? Buffer.from('[1]').toString('base64url') : foreign;
    expect(errorOf(await get(`/wallets/${address()}${path}?cursor=${mine}`))).toMatchObject({
      code: 'invalid_request',
    });
  }
});

test('a wallet without launches has no positions', async () => {
  expect((await get(`/wallets/${address()}`)).json()).toMatchObject({ data: { launchCount: 0, positions: [] } });
});

test('a wallet that a launch named to get the Fee Key has the position in its list, once, until a fork withdraws it', async () => {
  const [creator, recipient] = [address(), address()];
  const { mint } = await market.launch({ terms: { creator, feeRecipient: recipient } });
  const own = await market.launch({ terms: { creator: recipient, feeRecipient: recipient } });
  const listed = async (wallet: string) =>
    (await listPositions(market.db(), wallet, null, 10)).map((position) => position.mint);
  expect([await listed(recipient), await listed(creator)]).toEqual([[own.mint, mint], [mint]]);
  const [newest] = await listPositions(market.db(), recipient, null, 1);
  expect(await countPositions(market.db(), recipient, newest!.listingNumber)).toBe(1);
  await tokens.withdraw(market.db(), mint);
  expect(await listed(recipient)).toEqual([own.mint]);
});
