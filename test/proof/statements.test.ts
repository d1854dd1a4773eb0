import { expect, it } from 'vitest';
import * as statements from '../../db/money/statements.ts';
import * as rewardTokens from '../../db/reward/reward-tokens.ts';
import * as rewardTransactions from '../../db/reward/reward-transactions.ts';
import { errorOf } from '../support/api/errors-of.ts';
import { forgedCursor } from '../support/api/forged-cursor.ts';
import { bookBuyback } from '../support/buyback/buyback-rows.ts';
import { bookHarvest } from '../support/fee-sweep/revenue-rows.ts';
import { address } from '../support/launch/launch-rows.ts';
import { rewardFacts } from '../support/launch/launched-token.ts';
import { useMarketApp } from '../support/market/market-app.ts';
import { insertDistribution, insertHarvest } from '../support/reward/reward-rows.ts';

const market = useMarketApp();

interface Statement {
  readonly movements: readonly Readonly<Record<string, unknown>>[];
  readonly totals: Readonly<Record<string, unknown>>;
  readonly pagination: { readonly hasMore: boolean; readonly nextCursor: string };
}

const get = (path: string) => market.app().inject(`/api/public/v1${path}`);
const read = async (path: string) => (await get(path)).json<{ data: Statement }>().data;
const at = (hour: number) => new Date(Date.UTC(2026, 10, 20, hour));

it('a pot’s statement has each booked movement once, and what came in is what left and what is held', async () => {
  const { mint } = await market.launch(rewardFacts(100));
  await insertHarvest(market.db(), mint, { quoteRaw: 7_500_008n, baseRaw: 40n, landedAt: at(0) });
  const paid = await insertDistribution(market.db(), mint, { paidRaw: 3_500_008n, landedAt: at(1) });
  await rewardTransactions.correct(market.db(), mint, { baseRaw: -10n, quoteRaw: 0n });
  const { movements, totals } = await read(`/tokens/${mint}/rewards/statement`);
  expect(movements).toMatchObject([
    { number: 1, kind: 'harvest', quoteInRaw: '7500008', quoteOutRaw: '0', baseInRaw: '40', slot: 4_000 },
    { number: 2, kind: 'payout', quoteInRaw: '0', quoteOutRaw: '3500008', quoteOutTokens: 3.500008, signature: paid },
    { number: 3, kind: 'correction', baseOutRaw: '10', signature: null, slot: null },
  ]);
  expect(totals).toMatchObject({
    quoteInRaw: '7500008',
    quoteOutRaw: '3500008',
    quoteHeldRaw: '4000000',
    baseInRaw: '40',
    baseOutRaw: '10',
    baseHeldRaw: '30',
  });
});

it('a page that was full never changes, its totals are those up to its end, and later rows are behind its cursor', async () => {
  const { mint } = await market.launch(rewardFacts(100));
  const path = `/tokens/${mint}/rewards/statement`;
  const harvest = (quoteRaw: bigint) => insertHarvest(market.db(), mint, { quoteRaw, landedAt: at(0) });
  for (const raw of [5n, 7n, 11n]) await harvest(raw);
  const first = await read(`${path}?limit=2`);
  expect(first.totals).toMatchObject({ quoteInRaw: '12', quoteHeldRaw: '12' });
  const rest = await read(`${path}?limit=5&cursor=${first.pagination.nextCursor}`);
  expect([rest.movements.map(({ number }) => number), rest.totals['quoteInRaw']]).toEqual([[3], '23']);
  await harvest(13n);
  // Of the database: a response may come from a cache of some seconds.
  const { pot } = (await rewardTokens.byMint(market.db(), mint))!;
  const again = await statements.after(market.db(), pot, 0, 2);
  expect(again.map(({ number, quoteRaw, totalQuoteInRaw }) => [number, quoteRaw, totalQuoteInRaw])).toEqual([
    [1, 5n, 5n],
    [2, 7n, 12n],
  ]);
  const later = await read(`${path}?limit=6&cursor=${rest.pagination.nextCursor}`);
  expect([later.movements.map(({ number }) => number), later.totals['quoteInRaw']]).toEqual([[4], '36']);
});

it('rows that are booked at once get numbers without gaps, and totals that add up', async () => {
  const { mint } = await market.launch(rewardFacts(100));
  await insertHarvest(market.db(), mint, { quoteRaw: 100n, landedAt: at(0) });
  const corrections = Array.from({ length: 8 }, () =>
    rewardTransactions.correct(market.db(), mint, { baseRaw: 0n, quoteRaw: -3n }),
  );
  await Promise.all(corrections);
  const { movements, totals } = await read(`/tokens/${mint}/rewards/statement`);
  expect(movements.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(totals).toMatchObject({ quoteInRaw: '100', quoteOutRaw: '24', quoteHeldRaw: '76' });
});

it('a budget’s statement has the share of each harvest, rounded down, and each purchase', async () => {
  const db = market.db();
  const { mint } = await market.launch();
  const of = { mint, quoteMint: market.quoteMint };
  await bookHarvest(db, of, { quoteRaw: 1_001n, buybackBps: 5_000, flywheelBps: 1_000 });
  await bookBuyback(db, of, { spentRaw: 300n });
  const buyback = await read(`/platform/statement?quoteMint=${market.quoteMint}`);
  expect(buyback.movements).toMatchObject([
    { kind: 'share', quoteInRaw: '500', harvest: { quoteRaw: '1001', shareBps: 5_000 }, slot: 100 },
    { kind: 'purchase', quoteOutRaw: '300', harvest: null, mint },
  ]);
  expect(buyback.totals).toMatchObject({ quoteInRaw: '500', quoteOutRaw: '300', quoteHeldRaw: '200' });
  const revenue = await read(`/platform/statement?quoteMint=${market.quoteMint}&budget=revenue`);
  expect(revenue.movements).toMatchObject([
    { kind: 'harvest', quoteInRaw: '1001', valueUsd: 2.5, landedAt: '2026-11-21T10:00:00.000Z', harvest: null },
  ]);
  const flywheel = await read(`/platform/statement?quoteMint=${market.quoteMint}&budget=flywheel`);
  expect(flywheel.totals).toMatchObject({ quoteInRaw: '100', quoteHeldRaw: '100' });
});

it('a coin without a pot, an unknown quote token and a row that is to be changed are refused', async () => {
  const { mint } = await market.launch();
  expect((await get(`/tokens/${mint}/rewards/statement`)).statusCode).toBe(404);
  expect((await get(`/platform/statement?quoteMint=${address()}`)).statusCode).toBe(404);
  expect((await get('/platform/statement')).statusCode).toBe(400);
  await expect(market.db().deleteFrom('statementRows').execute()).rejects.toThrow('append only');
});

it('a cursor that the statement has not given is refused, and the one of its last row is not', async () => {
  const { mint } = await market.launch(rewardFacts(100));
  const path = `/tokens/${mint}/rewards/statement`;
  await insertHarvest(market.db(), mint, { quoteRaw: 5n, landedAt: at(0) });
  const first = await read(path);
  const behind = await read(`${path}?cursor=${first.pagination.nextCursor}`);
  expect([behind.movements, behind.totals['quoteInRaw']]).toEqual([[], '5']);
  const { pot } = (await rewardTokens.byMint(market.db(), mint))!;
  const invented = await get(`${path}?cursor=${forgedCursor('statement', pot, [77])}`);
  expect([invented.statusCode, errorOf(invented).code]).toEqual([400, 'invalid_request']);
});

it('a cursor of another pot’s statement is refused, although this one has a row of that number', async () => {
  const [one, other] = [await market.launch(rewardFacts(100)), await market.launch(rewardFacts(100))];
  for (const { mint } of [one, other]) await insertHarvest(market.db(), mint, { quoteRaw: 5n, landedAt: at(0) });
  const path = (mint: string) => `/tokens/${mint}/rewards/statement`;
  const { nextCursor } = (await read(path(one.mint))).pagination;
  const refused = await get(`${path(other.mint)}?cursor=${nextCursor}`);
  expect([refused.statusCode, errorOf(refused).code]).toEqual([400, 'invalid_request']);
});
