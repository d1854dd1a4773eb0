import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listCandles } from '../../db/market/candles.ts';
import * as marketStream from '../../db/market/market-stream.ts';
import * as poolCursors from '../../db/market/pool-cursors.ts';
import * as swapArchives from '../../db/market/swap-archives.ts';
import * as swapMonths from '../../db/market/swap-months.ts';
import { replaceSwaps } from '../../db/market/swap-repair.ts';
import * as swaps from '../../db/market/swaps.ts';
import type { NewSwap } from '../../db/market/swaps.ts';
import { listTrades } from '../../db/market/trades.ts';
import { averagePrice } from '../../db/prices/average-price.ts';
import { insertPairs } from '../support/db/pair-rows.ts';
import { useDatabase } from '../support/db/use-database.ts';
import { address, signature } from '../support/launch/launch-rows.ts';
import { launchedToken } from '../support/launch/launched-token.ts';
import { insertSwaps } from '../support/market/swap-rows.ts';
import { ops } from '../support/ops/ops-run.ts';

const { db, url } = useDatabase();
let [pool, mint, poolNumber] = ['', '', 0];
let directory = '';

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'swap-months-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

beforeEach(async () => {
  ({ mint } = await launchedToken(db()));
  ({ pool, number: poolNumber } = await db()
    .selectFrom('poolCursors')
    .select(['pool', 'number'])
    .where('mint', '=', mint)
    .executeTakeFirstOrThrow());
  const { quoteMint } = await db()
    .selectFrom('tokens')
    .select('quoteMint')
    .where('mint', '=', mint)
    .executeTakeFirstOrThrow();
  await insertPairs(db(), `category-${poolNumber}`, [quoteMint]);
});

/** Another token, of which nothing was traded. */
async function anotherToken(): Promise<{ readonly mint: string; readonly pool: string }> {
  const { mint: of } = await launchedToken(db());
  return await db().selectFrom('poolCursors').select(['mint', 'pool']).where('mint', '=', of).executeTakeFirstOrThrow();
}

/** As if nothing had ever been stored. */
async function dropMonths(): Promise<void> {
  await db().deleteFrom('swapArchives').execute();
  await db().deleteFrom('swapMonthChanges').execute();
  await db().updateTable('poolCursors').set({ changedSlot: null, gap: null, gapSince: null }).execute();
  await db().deleteFrom('marketSwaps').execute();
  for (const { table } of await swapMonths.stored(db())) await sql`drop table ${sql.table(table)}`.execute(db());
  await rm(directory, { recursive: true, force: true });
}

function swapAt(slot: bigint, blockTime: Date): NewSwap {
  return {
    signature: signature(),
    pool,
    index: 0,
    mint,
    slot,
    slotOrder: 0,
    blockTime,
    side: 'buy',
    wallet: address(),
    baseRaw: 1_000n,
    quoteRaw: 5n,
    priceQuote: '0.000005',
    supplyRaw: 10n ** 18n,
    quoteUsd: null,
    priceUsd: null,
    valueUsd: null,
  };
}

const tell = (swap: NewSwap) => marketStream.storeTails(db(), [{ pool, slot: Number(swap.slot), seen: null }], [swap]);
const settle = (untilSlot: bigint, ...stayed: NewSwap[]) =>
  marketStream.settleAll(db(), [
    { pool, mint, fromSlot: 0n, untilSlot, baseRaw: 7n, quoteRaw: null, swaps: stayed, highestCapUsd: null },
  ]);
const storedHere = () =>
  db()
    .selectFrom('swaps')
    .select(['signature', 'slot', 'blockTime', 'finalized', 'month'])
    .where('mint', '=', mint)
    .orderBy('slot')
    .execute();

describe('at the turn of a month', () => {
  const [before, after] = [new Date('2026-11-30T23:59:59Z'), new Date('2026-12-01T00:00:01Z')];

  it.each([
    ['later', before, after],
    ['earlier', after, before],
  ])('a swap that a fork moves into the month %s is still one swap, and final once', async (_which, first, then) => {
    const swap = swapAt(5n, first);
    expect(await tell(swap)).toMatchObject({ pools: [{ written: 1, added: 1 }] });
    const moved = { ...swap, slot: 7n, blockTime: then };
    expect(await tell(moved)).toMatchObject({ pools: [{ written: 1, added: 0 }] });
    expect(await tell(moved)).toMatchObject({ pools: [{ written: 0, added: 0 }] });
    const one = { signature: swap.signature, slot: 7n, blockTime: then, month: swapMonths.monthOf(first) };
    expect(await storedHere()).toEqual([{ ...one, finalized: false }]);
    await settle(8n, moved);
    expect(await storedHere()).toEqual([{ ...one, finalized: true }]);
    expect(await tell({ ...swap, slot: 9n, blockTime: first })).toMatchObject({ pools: [{ written: 0, added: 0 }] });
    expect(await storedHere()).toEqual([{ ...one, finalized: true }]);
  });

  it('a swap that was told with times that are days off is stored once, with the last of them, and final once', async () => {
    const swap = swapAt(5n, new Date('2026-12-01T00:00:00Z'));
    const times = ['2026-09-20T00:00:00Z', '2026-11-29T00:00:00Z', '2026-12-02T01:00:00Z', '2026-11-30T12:00:00Z'];
    for (const time of times) await tell({ ...swap, blockTime: new Date(time) });
    expect((await storedHere()).length).toBeGreaterThan(1);
    await settle(8n, swap);
    expect(await storedHere()).toMatchObject([
      { signature: swap.signature, blockTime: swap.blockTime, finalized: true },
    ]);
    const looked = swapAt(25n, swap.blockTime);
    for (const time of times) await swaps.storeProvisional(db(), pool, [{ ...looked, blockTime: new Date(time) }], []);
    const history = { pool, mint, fromSlot: 8n, untilSlot: 28n, baseRaw: 7n, quoteRaw: null, highestCapUsd: null };
    expect(await swaps.settle(db(), { ...history, swaps: [looked] })).toMatchObject({ withdrawn: 2 });
    expect(await storedHere()).toMatchObject([{ signature: swap.signature }, { signature: looked.signature }]);
  });

  it('what did not stay is withdrawn, whichever month it was of', async () => {
    const [stays, goes] = [swapAt(5n, before), swapAt(6n, after)];
    await tell(stays);
    await tell(goes);
    await settle(8n, stays);
    expect(await storedHere()).toMatchObject([{ signature: stays.signature, finalized: true }]);
  });

  it('the last day counts the swaps of both months', async () => {
    const priced = { slot: 5n, blockTime: before, baseRaw: 1_000n, quoteRaw: 5n, quoteUsd: '2' };
    await insertSwaps(db(), mint, [priced, { ...priced, slot: 6n, blockTime: after }]);
    const since = new Date(after.getTime() - 86_400_000);
    const [window] = await swaps.windows(db(), [mint], since);
    expect(window).toMatchObject({ oldestAt: before, newestSlot: 6n, volumeUsd: '0.00002' });
  });
});

describe('a month without a table', () => {
  it('is stored with the rest, and has one after the next preparation', async () => {
    const late = swapAt(5n, new Date('2031-03-09T12:00:00Z'));
    await tell(late);
    const now = new Date('2027-06-30T23:00:00Z');
    expect((await swapMonths.prepare(db(), now)).map(swapMonths.monthText)).toEqual([
      '2027-06',
      '2027-07',
      '2027-08',
      '2031-03',
    ]);
    expect(await swapMonths.prepare(db(), now)).toEqual([]);
    const { rows } = await sql`select signature from market_swaps_2031_03`.execute(db());
    expect(rows).toHaveLength(1);
    expect(await storedHere()).toMatchObject([{ signature: late.signature }]);
    expect(await tell({ ...late, slot: 6n })).toMatchObject({ pools: [{ written: 1, added: 0 }] });
    expect(await storedHere()).toMatchObject([{ signature: late.signature, slot: 6n }]);
    await db().deleteFrom('marketSwaps').where('month', '=', swapMonths.monthOf(late.blockTime)).execute();
  });
});

const env = () => ({ DATABASE_URL: url() });
const archive = (month: string, more = '') => ops(env(), `market archive ${month} --to ${directory} --json${more}`);
const DONE = { status: 0, printed: expect.any(String) as string };
const linesOf = async (file: string) =>
  gunzipSync(await readFile(file))
    .toString()
    .trimEnd()
    .split('\n');

describe('a month that is archived', () => {
  beforeAll(dropMonths);

  const at = (text: string) => ({ blockTime: new Date(text) });
  const audited = () => db().selectFrom('auditLog').selectAll().where('action', '=', 'market.remove-month').execute();

  it('lies in a file, line by line, and is dropped with it, the oldest first; the price that stood stays known', async () => {
    const quiet = await launchedToken(db());
    const rows = [
      { slot: 1_000n, ...at('2026-04-30T23:00:00Z'), quoteUsd: '1', priceQuote: '1' },
      { slot: 2_000n, ...at('2026-05-03T10:00:00Z'), quoteUsd: '2', priceQuote: '2' },
      { slot: 2_001n, ...at('2026-05-03T10:00:30Z'), quoteUsd: null, priceQuote: '3', side: 'sell' as const },
      { slot: 3_000n, ...at('2026-06-02T10:00:00Z'), quoteUsd: '4', priceQuote: '4' },
    ];
    const [april, lastWithUsd, lastOfMay, june] = await insertSwaps(db(), mint, rows);
    const [ofQuiet] = await insertSwaps(db(), quiet.mint, [{ slot: 2_500n, ...at('2026-05-09T00:00:00Z') }]);
    await swapMonths.prepare(db(), new Date());
    const all = await db()
      .selectFrom('swaps')
      .selectAll()
      .where('month', '=', 2026 * 12 + 4)
      .execute();

    const refused = await archive('2026-05', ' --remove --yes --note old');
    expect(refused).toMatchObject({ status: 1 });
    expect(refused.message).toContain('2026-04 is older than 2026-05: remove it first');
    expect(await audited()).toEqual([]);
    expect(await archive('2026-04', ' --remove --yes --note old')).toEqual(DONE);

    const removed = await archive('2026-05', ' --remove --yes --actor Ada --note enough');
    expect(removed.status).toBe(0);
    const told = JSON.parse(removed.printed) as { file: string; swaps: string };
    expect(told).toMatchObject({ month: '2026-05', swaps: '3', removed: true });
    const inFile = (await linesOf(told.file)).map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(inFile).toHaveLength(all.length);
    for (const swap of all) {
      expect(inFile).toContainEqual({
        signature: swap.signature,
        pool: swap.pool,
        index: swap.index,
        mint: swap.mint,
        slot: String(swap.slot),
        slotOrder: swap.slotOrder,
        blockTime: swap.blockTime.toISOString(),
        side: swap.side,
        wallet: swap.wallet,
        baseRaw: String(swap.baseRaw),
        quoteRaw: String(swap.quoteRaw),
        priceQuote: swap.priceQuote,
        supplyRaw: String(swap.supplyRaw),
        quoteUsd: swap.quoteUsd,
      });
    }
    const { rows: tables } =
      await sql`select to_regclass('market_swaps_2026_05') as may, to_regclass('market_swaps_2026_06') as june`.execute(
        db(),
      );
    expect(tables).toEqual([{ may: null, june: 'market_swaps_2026_06' }]);
    expect(await audited()).toMatchObject([
      { subject: 'month/2026-04' },
      { subject: 'month/2026-05', actor: 'Ada', note: 'enough' },
    ]);

    const kept = { month: 0, finalized: true };
    expect(await storedHere()).toMatchObject([
      { signature: lastWithUsd, ...kept },
      { signature: lastOfMay, ...kept },
      { signature: june },
    ]);
    expect(april).not.toBe(lastOfMay);
    expect(await listTrades(db(), poolNumber, null, 10)).toMatchObject([{ signature: june }]);
    const [window, quietWindow] = await Promise.all(
      [mint, quiet.mint].map(async (of) => (await swaps.windows(db(), [of], new Date('2026-06-02T00:00:00Z')))[0]),
    );
    // The last trade of May has no price in USD, and an older one is not taken for it, but for the beginning of a candle.
    expect(window).toMatchObject({ hasEarlier: true, priceUsdBefore: null, newestSlot: 3_000n });
    expect(quietWindow).toMatchObject({ hasEarlier: true, newestSlot: 2_500n, oldestAt: null });
    expect(ofQuiet).toBeDefined();
    const candles = {
      mint,
      poolNumber,
      seconds: 3600,
      currency: 'quote',
      to: new Date('2026-07-01T00:00:00Z'),
    } as const;
    const inJune = await listCandles(db(), { ...candles, from: new Date('2026-06-01T00:00:00Z') });
    expect(inJune).toMatchObject([{ time: new Date('2026-06-02T10:00:00Z'), trades: 1n }]);
    expect(Number(inJune[0]!.open)).toBe(3);
    expect(await listCandles(db(), { ...candles, from: new Date('2026-05-01T00:00:00Z') })).toMatchObject([
      { time: new Date('2026-06-02T10:00:00Z') },
    ]);
    const inUsd = await listCandles(db(), { ...candles, currency: 'usd', from: new Date('2026-06-01T00:00:00Z') });
    expect(Number(inUsd[0]!.open)).toBe(4);
    const span = { from: new Date('2026-06-01T00:00:00Z'), to: new Date('2026-06-02T00:00:00Z') };
    const opening = { openingPrice: '9', openedAt: new Date('2026-04-01T00:00:00Z') };
    expect(Number(await averagePrice(db(), { mint, ...span, ...opening }))).toBe(3);

    const months = JSON.parse((await ops(env(), 'market months --json')).printed) as { months: { month: string }[] };
    const may = months.months.find(({ month }) => month === '2026-05');
    expect(may).toMatchObject({ aboutSwaps: null, bytes: null, swapsInFile: '3', file: told.file });
  });

  it('is not filled again by a repair', async () => {
    const removedUntil = (await swapArchives.removedUntil(db()))!;
    expect(removedUntil).toBe(2_500n);
    const kept = swapAt(2_000n, new Date('2026-05-03T10:00:00Z'));
    const later = swapAt(2_600n, new Date('2026-06-03T10:00:00Z'));
    const history = { pool, mint, untilSlot: 2_700n, finalSlot: 2_800n, baseRaw: 1n, highestCapUsd: null };
    await replaceSwaps(db(), { ...history, swaps: [kept, later], isWhole: true, actor: 'test' });
    expect(await storedHere()).toMatchObject([{ signature: later.signature }]);
  });

  it('stays where it is not final, not over, too young, or not what its file holds', async () => {
    await insertSwaps(db(), mint, [{ slot: 9_000n, finalized: false, ...at('2026-06-20T10:00:00Z') }]);
    const refusal = async (month: string) => (await archive(month, ' --remove --yes --note old')).message;
    expect(await refusal('2026-06')).toContain('2026-06 has swaps that are not final yet');
    const now = new Date();
    expect(await refusal(swapMonths.monthText(swapMonths.monthOf(now)))).toContain('is not over');
    expect(await refusal('2019-01')).toContain('swaps of 2019-01 have no table');
    expect(await archive('2026-13')).toMatchObject({ status: 2 });
    await sql`update pool_cursors set finalized_slot = 20000`.execute(db());
    expect(await archive('2026-06')).toEqual(DONE);
    await insertSwaps(db(), mint, [{ slot: 9_001n, ...at('2026-06-21T10:00:00Z') }]);
    const removal = { month: 2026 * 12 + 5, actor: 'test' };
    await expect(swapArchives.remove(db(), { ...removal, now })).rejects.toThrow(
      /swaps of 2026-06 changed since \S+\/swaps-2026-06(-\d)?.ndjson.gz was written: write it again/,
    );
    await expect(swapArchives.remove(db(), { ...removal, now: new Date('2026-07-31T00:00:00Z') })).rejects.toThrow(
      '2026-06 is too young',
    );
    await expect(swapArchives.remove(db(), { ...removal, month: 1, now })).rejects.toThrow('0-02 have no table');
    expect(await storedHere()).toHaveLength(2);
  });
});

describe('what comes in the way of a removal', () => {
  const may = (day: number) => new Date(Date.UTC(2026, 4, day, 10));

  beforeEach(async () => {
    await dropMonths();
    await insertSwaps(db(), mint, [
      { slot: 1_001n, blockTime: may(1) },
      { slot: 1_002n, blockTime: may(2) },
      { slot: 3_000n, blockTime: new Date('2026-06-02T10:00:00Z') },
    ]);
    await swapMonths.prepare(db(), new Date());
  });

  it('a swap of a removed month that comes late gets a file of its own, and what was removed stays known', async () => {
    const first = JSON.parse((await archive('2026-05', ' --remove --yes --note old')).printed) as { file: string };
    expect(await swapArchives.removedUntil(db())).toBe(1_002n);
    const late = await anotherToken();
    const swap = { ...swapAt(1_001n, may(1)), pool: late.pool, mint: late.mint };
    const span = {
      pool: late.pool,
      mint: late.mint,
      fromSlot: 0n,
      untilSlot: 5_000n,
      baseRaw: 7n,
      quoteRaw: null,
      highestCapUsd: null,
    };
    await marketStream.settleAll(db(), [{ ...span, swaps: [swap] }]);
    await swapMonths.prepare(db(), new Date());
    expect((await archive('2026-06', ' --remove --yes --note old')).message).toContain('2026-05 is older than 2026-06');
    const again = await archive('2026-05', ' --remove --yes --note old');
    expect(again.status).toBe(0);
    const second = JSON.parse(again.printed) as { file: string };
    expect([first.file, second.file].map((file) => file.slice(directory.length + 1))).toEqual([
      'swaps-2026-05.ndjson.gz',
      'swaps-2026-05-2.ndjson.gz',
    ]);
    expect([await linesOf(first.file), await linesOf(second.file)].map(({ length }) => length)).toEqual([2, 1]);
    expect(await swapArchives.removedUntil(db())).toBe(1_002n);
    const { months } = JSON.parse((await ops(env(), 'market months --json')).printed) as {
      months: { month: string; file: string | null; removedAt: string | null; bytes: string | null }[];
    };
    expect(months.filter(({ month }) => month === '2026-05')).toMatchObject([
      { file: first.file, bytes: null },
      { file: second.file, bytes: null },
    ]);
  });

  it('a file of what a month was before it was removed is not taken for one of the swaps that came late', async () => {
    const month = 2026 * 12 + 4;
    const changes = await swapArchives.readMonth(db(), month, (reading) => Promise.resolve(reading.changes));
    expect(await archive('2026-05', ' --remove --yes --note old')).toEqual(DONE);
    await swapArchives.noteArchived(db(), { month, file: 'old', swaps: 2n, sha256: '', untilSlot: 1_002n, changes });
    const late = await anotherToken();
    await insertSwaps(db(), late.mint, [{ slot: 1_001n, blockTime: may(1) }]);
    await swapMonths.prepare(db(), new Date());
    const removal = { month, now: new Date(), actor: 'test' };
    await expect(swapArchives.remove(db(), removal)).rejects.toThrow('swaps of 2026-05 changed since old was written');
    expect(await archive('2026-05', ' --remove --yes --note old')).toEqual(DONE);
  });

  it('a month that is not whole yet stays', async () => {
    const late = await anotherToken();
    await poolCursors.noteGap(db(), late.pool, 'a gap');
    expect((await archive('2026-05', ' --remove --yes --note old')).message).toContain(
      `1 pools are not followed up to the end of 2026-05 yet, that of ${late.mint} for one`,
    );
    await sql`update pool_cursors set finalized_slot = 1002 where pool = ${late.pool}`.execute(db());
    expect(await archive('2026-05', ' --remove --yes --note old')).toEqual(DONE);
  });

  it('a month of which a swap was replaced by another after it was written stays', async () => {
    expect(await archive('2026-05')).toEqual(DONE);
    await db().deleteFrom('marketSwaps').where('slot', '=', 1_001n).where('poolNumber', '=', poolNumber).execute();
    await insertSwaps(db(), mint, [{ slot: 1_001n, blockTime: may(1) }]);
    const removal = { month: 2026 * 12 + 4, now: new Date(), actor: 'test' };
    await expect(swapArchives.remove(db(), removal)).rejects.toThrow('swaps of 2026-05 changed since');
    expect(await archive('2026-05', ' --remove --yes --note old')).toEqual(DONE);
    expect((await readdir(directory)).toSorted()).toEqual(['swaps-2026-05-2.ndjson.gz', 'swaps-2026-05.ndjson.gz']);
  });

  it('what somebody changes at once counts once, and a table whose changes nobody noted stays', async () => {
    expect(await archive('2026-05')).toEqual(DONE);
    const ofMay = sql<boolean>`month = ${2026 * 12 + 4}`;
    const changes = async () =>
      (await db().selectFrom('swapMonthChanges').selectAll().execute()).map((row) => row.changes);
    const [before] = await changes();
    await db().updateTable('marketSwaps').set({ slotOrder: 7 }).where(ofMay).execute();
    expect(await changes()).toEqual([before! + 1n]);
    expect(await archive('2026-05')).toEqual(DONE);
    await sql`drop trigger note_change on market_swaps_2026_05`.execute(db());
    const removal = { month: 2026 * 12 + 4, now: new Date(), actor: 'test' };
    await expect(swapArchives.remove(db(), removal)).rejects.toThrow('swaps of 2026-05 changed since');
    expect(await archive('2026-05', ' --remove --yes --note old')).toEqual(DONE);
  });

  it('a swap that was kept, and comes again without its price in USD, is kept once', async () => {
    expect(await archive('2026-05', ' --remove --yes --note old')).toEqual(DONE);
    await sql`update market_swaps set quote_usd = 2 where month = 0`.execute(db());
    await sql`insert into market_swaps (pool_number, signature, index, month, slot, block_time, is_buy, wallet, base_raw, quote_raw, price_quote)
      select pool_number, signature, index, ${2026 * 12 + 4}, slot, block_time, is_buy, wallet, base_raw, quote_raw, price_quote
      from market_swaps where month = 0`.execute(db());
    await swapMonths.prepare(db(), new Date());
    expect(await archive('2026-05', ' --remove --yes --note old')).toEqual(DONE);
    const kept = await db()
      .selectFrom('swaps')
      .select('quoteUsd')
      .where('mint', '=', mint)
      .where('month', '=', 0)
      .execute();
    expect(kept.map(({ quoteUsd }) => Number(quoteUsd))).toEqual([2]);
  });

  it('two archives at once write two whole files, of which one is followed by the removal', async () => {
    // A reader keeps the removal waiting meanwhile, and nobody else for long.
    const reader = await db().startTransaction().execute();
    await sql`lock table only market_swaps in access share mode`.execute(reader);
    const first = archive('2026-05', ' --remove --yes --note old');
    await expect.poll(() => swapArchives.archived(db())).toHaveLength(1);
    const second = archive('2026-05', ' --remove --yes --note old');
    await expect.poll(() => swapArchives.archived(db())).toHaveLength(2);
    const begun = performance.now();
    await tell(swapAt(4_000n, new Date()));
    expect(performance.now() - begun).toBeLessThan(5_000);
    await reader.rollback().execute();
    const done = await Promise.all([first, second]);
    expect(done.map(({ status }) => status).toSorted()).toEqual([0, 1]);
    expect(done.find(({ status }) => status === 1)!.message).toContain('swaps of 2026-05 have no table');
    for (const { file } of await swapArchives.archived(db())) expect(await linesOf(file)).toHaveLength(2);
  });

  it('what a fork moved beyond the turn of a month is still the last price when the next month goes', async () => {
    const { mint: moved, pool: of } = await anotherToken();
    const last = { ...swapAt(7n, new Date('2026-05-31T23:59:59Z')), mint: moved, pool: of, priceQuote: '99' };
    const then = { ...last, slot: 9n, blockTime: new Date('2026-06-01T00:00:02Z') };
    const between = {
      ...last,
      ...swapAt(8n, new Date('2026-06-01T00:00:01Z')),
      mint: moved,
      pool: of,
      priceQuote: '1',
    };
    for (const swap of [last, then, between])
      await marketStream.storeTails(db(), [{ pool: of, slot: Number(swap.slot), seen: null }], [swap]);
    const span = {
      pool: of,
      mint: moved,
      fromSlot: 0n,
      untilSlot: 10n,
      baseRaw: 7n,
      quoteRaw: null,
      highestCapUsd: null,
    };
    await marketStream.settleAll(db(), [{ ...span, swaps: [between, then] }]);
    for (const month of ['2026-05', '2026-06'])
      expect(await archive(month, ' --remove --yes --note old')).toEqual(DONE);
    const [window] = await swaps.windows(db(), [moved], new Date('2026-07-02T00:00:00Z'));
    expect(window).toMatchObject({ newestSlot: 9n, hasEarlier: true });
    const kept = await db().selectFrom('swaps').select(['priceQuote', 'month']).where('mint', '=', moved).execute();
    expect(kept.map(({ priceQuote, month }) => [Number(priceQuote), month])).toEqual([[99, 0]]);
  });
});

describe('who stores swaps meanwhile', () => {
  /** Settles one swap after the other, as the index does, until it is told to stop; answers what failed. */
  async function settling(tokens: readonly { pool: string; mint: string }[], until: AbortSignal): Promise<unknown[]> {
    const failures: unknown[] = [];
    await Promise.all(
      tokens.map(async (token) => {
        for (let at = 100_000n; !until.aborted; at += 2n) {
          const [told, settled] = [at, at + 1n].map((slot) => ({ ...swapAt(slot, new Date()), ...token }));
          const change = { pool: token.pool, slot: Number(at), seen: null };
          const span = {
            ...token,
            fromSlot: at === 100_000n ? 0n : at - 1n,
            untilSlot: at + 1n,
            baseRaw: 7n,
            quoteRaw: null,
          };
          try {
            await marketStream.storeTails(db(), [change], [told!]);
            await marketStream.settleAll(db(), [{ ...span, swaps: [told!, settled!], highestCapUsd: null }]);
          } catch (error) {
            failures.push(error);
          }
        }
      }),
    );
    return failures;
  }

  it('is not undone by months that are added, archived and removed', async () => {
    await dropMonths();
    const old = Array.from({ length: 10 }, (_, month) => ({
      slot: BigInt(month + 1),
      blockTime: new Date(Date.UTC(2025, month, 3)),
    }));
    await insertSwaps(db(), mint, old);
    const tokens = await Promise.all(Array.from({ length: 6 }, () => anotherToken()));
    const stop = new AbortController();
    const stored = settling(
      tokens.map(({ pool: address, mint: of }) => ({ pool: address, mint: of })),
      stop.signal,
    );
    try {
      await expect
        .poll(async () => {
          await swapMonths.prepare(db(), new Date()).catch(() => []);
          return (await swapMonths.stored(db())).length;
        })
        .toBeGreaterThanOrEqual(10 + 3);
      for (const { blockTime } of old) {
        const month = swapMonths.monthText(swapMonths.monthOf(blockTime));
        expect(await archive(month, ' --remove --yes --note old')).toEqual(DONE);
      }
    } finally {
      stop.abort();
    }
    expect(await stored).toEqual([]);
  });

  it('waits but a moment for a month that cannot be added because somebody reads', async () => {
    await tell(swapAt(90_000n, new Date('2035-03-09T12:00:00Z')));
    const reader = await db().startTransaction().execute();
    await sql`lock table market_swaps_rest in access share mode`.execute(reader);
    await expect(swapMonths.prepare(db(), new Date())).rejects.toThrow('lock timeout');
    await reader.rollback().execute();
    expect(await swapMonths.prepare(db(), new Date())).toContain(2035 * 12 + 2);
  });
});
