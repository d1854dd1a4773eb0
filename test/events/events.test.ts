import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { type EventAnswer, subjectSchemas } from '../../api/events/events.schema.ts';
import * as eventDays from '../../db/events/event-days.ts';
import { EVENT_TYPES } from '../../domain/events/event-types.ts';
import { errorOf } from '../support/api/errors-of.ts';
import { everyFact, factFixture, type FactFixture, rewardRound, trade } from '../support/events/every-fact.ts';
import { readAll, untilVisible } from '../support/events/read-events.ts';
import { address } from '../support/launch/launch-rows.ts';
import { useMarketApp } from '../support/market/market-app.ts';

const market = useMarketApp();
let ground: FactFixture;

beforeAll(async () => {
  ground = await everyFact(market.db());
  await untilVisible(market.db());
});

interface Answer {
  readonly data: {
    readonly events: readonly EventAnswer[];
    readonly pagination: { readonly hasMore: boolean; readonly nextCursor: string };
  };
}

const ask = (query: string) => market.app().inject(`/api/public/v1/events${query}`);
const read = async (query: string) => (await ask(query)).json<Answer>().data;

/** Every event behind a cursor, in pages of `limit`. */
async function walk(after: string, limit: number, filter = ''): Promise<EventAnswer[]> {
  const events: EventAnswer[] = [];
  for (let cursor = after; ;) {
    const page = await read(`?after=${cursor}&limit=${limit}${filter}`);
    events.push(...page.events);
    if (!page.pagination.hasMore) return events;
    cursor = page.pagination.nextCursor;
  }
}

test('a reader that keeps its cursor gets the whole log, each event once, whatever its pages', async () => {
  const stored = await readAll(market.db());
  const [whole, small] = [await walk('oldest', 100), await walk('oldest', 3)];
  expect(whole.map(({ type }) => type)).toEqual(stored.map(({ type }) => type));
  expect(small).toEqual(whole);
  expect(new Set(whole.map(({ id }) => id)).size).toBe(stored.length);
  // The id of an event is a cursor too.
  expect(await walk(whole[4]!.id, 100)).toEqual(whole.slice(5));
});

test('each type of event is answered with the facts of its subject alone', async () => {
  const events = await walk('oldest', 100);
  expect([...new Set(events.map(({ type }) => type))].toSorted()).toEqual(EVENT_TYPES.toSorted());
  for (const event of events) {
    const subjects = Object.keys(event).filter((field) => field in subjectSchemas);
    expect([event.type, subjects]).toEqual([event.type, [event.type.split('.')[0]]]);
  }
});

test('a trade and a payout have their amounts as decimals and raw, and their worth', async () => {
  const events = await walk('oldest', 100, `&types=trade.final,payout.paid`);
  expect(events.find(({ type }) => type === 'trade.final')).toMatchObject({
    mint: ground.mint,
    creator: ground.creator,
    trade: {
      slot: 3_000,
      side: 'buy',
      amountTokens: 1,
      amountRaw: '1000000000',
      quoteTokens: 5,
      quoteRaw: '5000000',
      quoteMint: ground.quoteMint,
      priceQuote: 0.000005,
      priceUsd: 0.000005,
      valueUsd: 5,
    },
  });
  expect(events.find(({ type }) => type === 'payout.paid')).toMatchObject({
    payout: { roundNumber: 1, amountTokens: 2, amountRaw: '2000000', valueUsd: 2, paidAt: '2026-11-21T15:00:00.000Z' },
  });
});

test('filters narrow the log and keep its cursors', async () => {
  const other = await factFixture(market.db());
  const { stays } = await trade(market.db(), other);
  await rewardRound(market.db(), other);
  await untilVisible(market.db());
  const typesOf = async (filter: string) => (await walk('oldest', 2, filter)).map(({ type }) => type);
  expect(await typesOf(`&wallet=${stays.wallet}`)).toEqual(['trade.confirmed', 'trade.final']);
  expect(await typesOf(`&wallet=${stays.wallet}&types=trade.final`)).toEqual(['trade.final']);
  expect(await typesOf(`&mint=${other.mint}&types=round.paid,trade.withdrawn`)).toEqual([
    'trade.withdrawn',
    'round.paid',
  ]);
  const ofCreator = await walk('oldest', 100, `&creator=${other.creator}`);
  expect(ofCreator.slice(0, 3).map(({ type }) => type)).toEqual([
    'launch.processing',
    'launch.completed',
    'token.launched',
  ]);
  expect(ofCreator.slice(1).every(({ mint }) => mint === other.mint)).toBe(true);
  expect(await typesOf(`&wallet=${address()}`)).toEqual([]);
});

test('`now` begins behind everything that is recorded, and an empty page still moves on', async () => {
  const { events, pagination } = await read('?after=now');
  expect([events, pagination.hasMore]).toEqual([[], false]);
  const later = await factFixture(market.db());
  await untilVisible(market.db());
  const told = await walk(pagination.nextCursor, 100);
  expect(told.find(({ type }) => type === 'token.launched')?.mint).toBe(later.mint);
  expect(told.some(({ mint }) => mint === ground.mint)).toBe(false);
});

test.each([
  ['after=bm8', '"after" is neither a cursor'],
  ['types=trade.final,trade.lost', '"trade.lost" is no type of event'],
  ['types=;', 'types of events, separated by commas'],
  ['mint=x', 'mint'],
])('a request with %s is refused by name', async (query, words) => {
  const answer = await ask(`?${query}`);
  expect([answer.statusCode, errorOf(answer).code]).toEqual([400, 'invalid_request']);
  expect(errorOf(answer).message).toContain(words);
});

test('a cursor that is too old is 404, with the cursor at which reading can begin again', async () => {
  const { events } = await read('?after=oldest&limit=1');
  await sql`insert into events (at, day, type, body) values (now() - interval '40 days', event_day(now() - interval '40 days'),
    'switch.changed', '{"name":"airdrops","value":"on"}')`.execute(market.db());
  await eventDays.prepare(market.db());
  await eventDays.dropOld(market.db(), 30);
  await untilVisible(market.db());
  const lost = await ask(`?after=${events[0]!.id}`);
  expect(lost.statusCode).toBe(404);
  expect(errorOf(lost)).toMatchObject({ code: 'not_found', retryable: false });
  const { oldestCursor } = lost.json<{ oldestCursor: string }>();
  expect((await ask(`?after=${oldestCursor}`)).statusCode).toBe(200);
});
