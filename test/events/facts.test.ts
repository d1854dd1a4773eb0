import bs58 from 'bs58';
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import * as eventLog from '../../db/events/event-log.ts';
import type { EventPlace, StoredEvent } from '../../domain/events/stored-event.ts';
import { insertIntake } from '../../db/launch/launch-intake.ts';
import { transitionLaunch } from '../../db/launch/launch-transition.ts';
import * as marketStream from '../../db/market/market-stream.ts';
import { replaceSwaps } from '../../db/market/swap-repair.ts';
import * as swaps from '../../db/market/swaps.ts';
import * as pairs from '../../db/pairs.ts';
import * as switches from '../../db/platform/switches.ts';
import { connect } from '../../db/connect.ts';
import { EVENT_TYPES } from '../../domain/events/event-types.ts';
import { publicStatusOf } from '../../domain/launch/public-status.ts';
import { LAUNCH_STATES } from '../../domain/launch/state.ts';
import { apiUrlOf } from '../setup/database.ts';
import { listPair } from '../support/api/test-pairs.ts';
import { useDatabase } from '../support/db/use-database.ts';
import {
  airdrop,
  claim,
  everyFact,
  factFixture,
  type FactFixture,
  rewardRound,
  settleTrades,
  swapOf,
  trade,
} from '../support/events/every-fact.ts';
import { readAll } from '../support/events/read-events.ts';
import { bookBurn } from '../support/fee-sweep/revenue-rows.ts';
import { bookBuyback } from '../support/buyback/buyback-rows.ts';
import { bringTo, intakeOf, launchTerms, signature } from '../support/launch/launch-rows.ts';

const { db, url } = useDatabase();
let ground: FactFixture;
let start: EventPlace;

beforeEach(async () => {
  ground = await factFixture(db());
  start = await eventLog.end(db());
  await readAll(db(), start);
  start = await eventLog.end(db());
});

const events = () => readAll(db(), start);
const typesOf = (told: readonly StoredEvent[]) => told.map(({ type }) => type);
const types = async () => typesOf(await events());

test('every type of event is written by some fact, and no other', async () => {
  await everyFact(db());
  expect([...new Set(await types())].toSorted()).toEqual(EVENT_TYPES.toSorted());
});

test('a launch is told with each status that clients hear of, and not with the steps between', async () => {
  const terms = launchTerms();
  await insertIntake(db(), intakeOf(terms));
  await insertIntake(db(), intakeOf(terms));
  await bringTo(db(), terms.quoteId, 'needs_recovery');
  await transitionLaunch(db(), terms.quoteId, ['needs_recovery'], 'refunding');
  const landed = { paymentSignature: signature(), refundSignature: signature() };
  await transitionLaunch(db(), terms.quoteId, ['refunding'], 'refunded', landed);
  expect(await types()).toEqual(['launch.processing', 'launch.needs_recovery', 'launch.refunded']);
  expect((await events()).at(-1)?.body).toMatchObject(landed);
});

test('every state of a launch is told as the status that clients hear of it', async () => {
  const words = {
    processing: ['processing'],
    completed: ['completed'],
    conflict: ['needs_recovery'],
    service_unavailable: ['refunded', 'not_charged'],
  } as const;
  for (const state of LAUNCH_STATES) {
    const { rows } = await sql<{ status: string }>`select launch_status(${state}) as status`.execute(db());
    expect(words[publicStatusOf(state, 'payment')], state).toContain(rows[0]?.status);
  }
});

test('a launch that is not live yet tells neither its mint nor the signature that leads to it', async () => {
  const terms = launchTerms();
  await insertIntake(db(), intakeOf(terms));
  await bringTo(db(), terms.quoteId, 'needs_recovery', { paymentSignature: signature() });
  const told = await events();
  expect(told).toMatchObject([{ mint: null, wallet: terms.creator }, { mint: null }]);
  expect(JSON.stringify(told.map(({ body }) => body))).not.toMatch(
    new RegExp(`${terms.addresses.mint}|${terms.symbol}`),
  );
  expect(told.map(({ body }) => body)).toMatchObject([{ paymentSignature: null }, { paymentSignature: null }]);
});

test('a completed launch is told with its token, in one transaction, once', async () => {
  const { mint, creator } = await factFixture(db());
  const told = (await events()).filter((event) => event.creator === creator);
  expect(typesOf(told)).toEqual(['launch.processing', 'launch.completed', 'token.launched']);
  expect(told.slice(1)).toMatchObject([{ mint }, { mint }]);
  expect(told[1]?.place.xid).toBe(told[2]?.place.xid);
});

test('a trade is told as confirmed once, then as final or as withdrawn', async () => {
  const { stays, goes } = await trade(db(), ground);
  await swaps.storeProvisional(db(), stays.pool, [stays], []);
  const told = await events();
  const of = ({ signature }: typeof stays) =>
    typesOf(
      told.filter(({ body }) => JSON.stringify(body).includes(Buffer.from(bs58.decode(signature)).toString('hex'))),
    );
  expect([of(stays), of(goes)]).toEqual([
    ['trade.confirmed', 'trade.final'],
    ['trade.confirmed', 'trade.withdrawn'],
  ]);
  expect(told).toHaveLength(4);
  expect(told[0]).toMatchObject({ wallet: stays.wallet, mint: ground.mint, creator: ground.creator });
});

test('a trade that a fork moved is withdrawn from its slot before it is told in another', async () => {
  const swap = await swapOf(db(), ground.mint);
  await swaps.storeProvisional(db(), swap.pool, [swap], []);
  await swaps.storeProvisional(db(), swap.pool, [{ ...swap, slot: 3_005n }], []);
  // A price in USD or a place in the slot is no other trade.
  await swaps.storeProvisional(db(), swap.pool, [{ ...swap, slot: 3_005n, slotOrder: 4, quoteUsd: '2' }], []);
  expect((await events()).map(({ type, body }) => ({ type, ...(body as object) }))).toMatchObject([
    { type: 'trade.confirmed', slot: 3_000 },
    { type: 'trade.withdrawn', slot: 3_000 },
    { type: 'trade.confirmed', slot: 3_005 },
  ]);
});

test('a batch of pools tells each trade once, whether it was seen before it was final or not', async () => {
  const other = await factFixture(db());
  const seen = await swapOf(db(), ground.mint);
  const fresh = await swapOf(db(), other.mint);
  await swaps.storeProvisional(db(), seen.pool, [seen], []);
  const spans = [seen, fresh].map((swap) => ({
    pool: swap.pool,
    mint: swap.mint,
    fromSlot: 0n,
    untilSlot: 3_001n,
    baseRaw: 0n,
    quoteRaw: 0n,
    swaps: [swap],
    highestCapUsd: null,
  }));
  await marketStream.settleAll(db(), spans);
  const told = (await events()).filter(({ type }) => type.startsWith('trade.'));
  const of = (mint: string) => typesOf(told.filter((event) => event.mint === mint));
  expect([of(ground.mint), of(other.mint)]).toEqual([['trade.confirmed', 'trade.final'], ['trade.final']]);
});

test('a repair tells what it removes and what it adds, and nothing of what was right', async () => {
  const right = await swapOf(db(), ground.mint);
  const invented = await swapOf(db(), ground.mint, { slotOrder: 1 });
  const missed = await swapOf(db(), ground.mint, { slotOrder: 2 });
  await settleTrades(db(), ground.mint, 3_001n, [right, invented]);
  start = (await events()).at(-1)!.place;
  const repriced = { ...right, quoteUsd: '3' };
  const history = { pool: right.pool, mint: ground.mint, untilSlot: 3_001n, finalSlot: 3_001n, baseRaw: 0n };
  const repair = { ...history, swaps: [repriced, missed], highestCapUsd: null, isWhole: true, actor: 'test' };
  await replaceSwaps(db(), repair);
  expect(await types()).toEqual(['trade.withdrawn', 'trade.final']);
  const stored = await swaps.ofPool(db(), right.pool, 3_001n);
  expect(stored).toMatchObject([
    { signature: right.signature, quoteUsd: '3' },
    { signature: missed.signature, finalized: true },
  ]);
});

test('a round is told when it was observed, divided and paid, with each payout to a wallet once', async () => {
  await rewardRound(db(), ground);
  expect(await types()).toEqual(['round.observed', 'round.divided', 'payout.paid', 'payout.paid', 'round.paid']);
  const told = await events();
  expect(told.at(-1)?.body).toMatchObject({ paidRaw: '4000000', recipients: 2, number: 1 });
  expect(new Set(told.flatMap(({ wallet }) => wallet ?? [])).size).toBe(2);
});

test('a claim, a burn, a purchase and an airdrop are each told once', async () => {
  await claim(db(), ground);
  await bookBurn(db(), ground.mint);
  await bookBuyback(db(), ground);
  await airdrop(db(), ground);
  expect(await types()).toEqual(['claim.paid', 'burn', 'buyback', 'airdrop.delivered']);
  expect((await events()).at(-1)?.body).toMatchObject({ shareRaw: '1003', deliveredRaw: '1003', recipients: 3 });
});

test('a pair is told when launches can begin to use it and when they no longer can', async () => {
  const { mint, category } = await listPair(db(), { category: 'fresh' });
  await listPair(db(), { mint, category });
  const by = { actor: 'test' };
  await pairs.retire(db(), mint, by);
  await listPair(db(), { mint, category });
  await pairs.setCategoryRetired(db(), category, true, by);
  await pairs.setCategoryRetired(db(), category, false, by);
  expect(await types()).toEqual(['pair.added', 'pair.retired', 'pair.added', 'pair.retired', 'pair.added']);
});

test('a switch is told with its value and not with who turned it', async () => {
  await switches.set(db(), 'airdrops', 'on', { actor: 'somebody' });
  await switches.set(db(), 'airdrops', 'on', { actor: 'somebody' });
  expect(await events()).toMatchObject([{ type: 'switch.changed', body: { name: 'airdrops', value: 'on' } }]);
  expect(JSON.stringify((await events())[0]?.body)).not.toContain('somebody');
});

test('the role of the API writes events by its facts alone', async () => {
  const api = connect(apiUrlOf(url()), { applicationName: 'test-api' });
  await insertIntake(api, intakeOf(launchTerms()));
  expect(await types()).toEqual(['launch.processing']);
  const invented = api
    .insertInto('events')
    .values({ type: 'burn', body: '{}', mint: null, wallet: null, creator: null });
  await expect(invented.execute()).rejects.toThrow(/permission denied/);
  await api.destroy();
});
