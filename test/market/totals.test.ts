import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { buybackSpentUsd } from '../../db/buyback/buyback-reads.ts';
import { type Db, transaction } from '../../db/connect.ts';
import { isTransientDatabaseError } from '../../db/errors.ts';
import { insertIntake } from '../../db/launch/launch-intake.ts';
import { launchTotals } from '../../db/launch/launch-totals.ts';
import * as publicLedger from '../../db/launch/public-ledger.ts';
import { recordLaunch } from '../../db/launch/record-launch.ts';
import { graduate } from '../../db/market/graduation.ts';
import { marketTotals } from '../../db/market/market-totals.ts';
import { countTokens, listTokens, TOKEN_SORTS, type TokenFilter } from '../../db/market/token-list.ts';
import * as tokenMarkets from '../../db/market/token-markets.ts';
import * as tokens from '../../db/tokens.ts';
import { createDice } from '../support/dice.ts';
import { insertPairs } from '../support/db/pair-rows.ts';
import { address, bringTo, intakeOf, launchTerms, recordingOf } from '../support/launch/launch-rows.ts';
import { countBuybacks, countTotals } from '../support/market/count-totals.ts';
import { useDatabase } from '../support/db/use-database.ts';

const { db } = useDatabase();
const NOW = new Date('2026-11-21T18:20:00Z');

const CREATORS = Array.from({ length: 5 }, address);
const QUOTES = [address(), address()];

interface Launched {
  readonly quoteId: string;
  readonly mint: string;
}

/** A launch that completed within the last two days, by one of a few creators. */
async function launch(on: Db, dice: (most: number) => number): Promise<Launched> {
  const quoteToken = { ...launchTerms().quoteToken, mint: QUOTES[dice(2)]! };
  const terms = launchTerms({ creator: CREATORS[dice(5)]!, quoteToken });
  await insertIntake(on, intakeOf(terms));
  await bringTo(on, terms.quoteId, 'recording');
  const launchedAt = new Date(NOW.getTime() - dice(48 * 60) * 60_000);
  await recordLaunch(on, recordingOf(terms, { launchedAt }));
  return { quoteId: terms.quoteId, mint: terms.addresses.mint };
}

/** What releases of any age write, in the words of their SQL or through the modules. */
const CHANGES: readonly ((on: Db, one: Launched, dice: (most: number) => number) => Promise<unknown>)[] = [
  (on, { mint }, dice) =>
    tokenMarkets.save(on, [
      {
        mint,
        status: dice(3) === 0 ? 'aboutToGraduate' : 'new',
        priceQuote: null,
        priceUsd: null,
        marketCapUsd: dice(5) === 0 ? null : `${dice(60_000)}.${dice(1_000)}`,
        highWaterMarketCapUsd: String(dice(60_000)),
        volume24hUsd: `${dice(900)}.0000000001`,
        liquidityUsd: dice(5) === 0 ? null : String(dice(9_000)),
        priceChange24hPercent: null,
        lastSlot: BigInt(2_000 + dice(50)),
      },
    ]),
  (on, { mint }) => graduate(on, [mint]),
  (on, { mint }, dice) => tokens.setHidden(on, mint, dice(2) === 0, { actor: 'test' }),
  (on, { mint }) => tokens.withdraw(on, mint),
  (on, { mint }) => on.updateTable('tokens').set({ withdrawnAt: null }).where('mint', '=', mint).execute(),
  (on, { quoteId }) => sql`update launches set state = 'landing' where quote_id = ${quoteId}`.execute(on),
  (on, { quoteId }) => sql`update launches set state = 'finalized' where quote_id = ${quoteId}`.execute(on),
  (on, { quoteId }, dice) =>
    sql`update launches set launched_at = launched_at - ${dice(300)} * interval '1 minute', state = 'completed'
      where quote_id = ${quoteId}`.execute(on),
  (on, _one, dice) =>
    sql`update token_markets set volume24h_usd = volume24h_usd / 2 where mint > ${dice(9)}::text`.execute(on),
  (on, { mint }) => sql`update token_markets set holders = 7 where mint = ${mint}`.execute(on),
];

/** Changes at random, one in eight of them taken back. What the database refuses for what runs beside it is taken back too. */
async function changeAtRandom(launched: Launched[], seed: number, times: number): Promise<void> {
  const dice = createDice(seed);
  const isBack = new Error('taken back');
  for (let time = 0; time < times; time += 1) {
    await transaction(db(), async (tx) => {
      await CHANGES[dice(CHANGES.length)]!(tx, launched[dice(launched.length)]!, dice);
      if (dice(8) === 0) throw isBack;
    }).catch((error: unknown) => {
      if (error !== isBack && !isTransientDatabaseError(error)) throw error;
    });
    if (dice(20) === 0) launched.push(await launch(db(), dice));
  }
}

/** Kept and counted totals as one snapshot of the database has them. */
function bothTotals() {
  return db()
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      const kept = { ...(await marketTotals(tx)), ...(await launchTotals(tx, NOW)) };
      return { kept, counted: await countTotals(tx, NOW) };
    });
}

const rowsOf = async (table: 'tokenMarketChanges' | 'launchChanges') =>
  (await db().selectFrom(table).selectAll().execute()).length;

describe('totals that are kept are what counting finds', () => {
  const launched: Launched[] = [];
  const category = 'totals';

  beforeAll(async () => {
    const dice = createDice(1);
    for (let index = 0; index < 24; index += 1) launched.push(await launch(db(), dice));
    await insertPairs(db(), category, [QUOTES[0]!]);
  });

  test('at every moment while many write, and afterwards', async () => {
    const writers = [2, 3, 4, 5].map((seed) => changeAtRandom(launched, seed, 120));
    const ended = Promise.all(writers).then(() => true);
    for (let isOver = false; !isOver;) {
      isOver = await Promise.race([
        ended,
        bothTotals().then(({ kept, counted }) => {
          expect(kept).toEqual(counted);
          return false;
        }),
      ]);
    }
    const { kept, counted } = await bothTotals();
    expect(kept).toEqual(counted);
    expect(kept.tokens).toBeGreaterThan(0);
    expect(kept.tokens).toBeLessThan(launched.length);
    // What statements changed is added up by and by.
    expect(await rowsOf('tokenMarketChanges')).toBeLessThan(200);
    expect(await rowsOf('launchChanges')).toBeLessThan(200);
  });

  test('within every filter of the list but a search', async () => {
    const quoteMint = QUOTES[1]!;
    const filters: TokenFilter[] = [
      {},
      { mode: 'standard' },
      { mode: 'reward' },
      { status: 'graduated' },
      { quoteMint },
    ];
    for (const filter of [...filters, { category }, { category: 'none' }, { quoteMint, status: 'new' } as const]) {
      const rows = db()
        .selectFrom('tokenMarkets')
        .select('mint')
        .where(sql<boolean>`listed`);
      const listed = await rows
        .$if(filter.mode !== undefined, (query) => query.where('mode', '=', filter.mode!))
        .$if(filter.status !== undefined, (query) => query.where('status', '=', filter.status!))
        .$if(filter.quoteMint !== undefined, (query) => query.where('quoteMint', '=', filter.quoteMint!))
        .$if(filter.category !== undefined, (query) =>
          query.where('quoteMint', '=', filter.category === category ? QUOTES[0]! : ''),
        )
        .execute();
      expect(await countTokens(db(), filter), JSON.stringify(filter)).toBe(listed.length);
    }
  });

  test('so that a page counted off from the end is the one that counting off from the start finds', async () => {
    for (const sort of TOKEN_SORTS) {
      for (const filter of [{}, { quoteMint: QUOTES[0]! }, { category }, { status: 'new' }] as const) {
        const total = await countTokens(db(), filter);
        for (let page = 1; page <= Math.ceil(total / 3) + 1; page += 1) {
          const [fromStart, fromEnd] = [undefined, 0].map((near) =>
            listTokens(db(), filter, sort, { page, pageSize: 3 }, near),
          );
          expect(await fromEnd, `page ${page} of ${JSON.stringify(filter)} by ${sort}`).toEqual(await fromStart);
        }
      }
    }
  });

  test('and so is a page of the ledger', async () => {
    const total = await publicLedger.count(db(), {});
    expect(total).toBe((await bothTotals()).counted.launches);
    for (let page = 1; page <= Math.ceil(total / 3) + 1; page += 1) {
      const paging = { page, pageSize: 3 };
      const fromStart = await publicLedger.page(db(), {}, paging);
      expect(await publicLedger.page(db(), {}, paging, 0), `page ${page}`).toEqual(fromStart);
    }
  });

  test('after they were counted anew, and when tokens and launches are removed', async () => {
    await sql`update token_market_totals set tokens = tokens + 1`.execute(db());
    await sql`update launch_totals set launches = 0, creators = 0`.execute(db());
    await sql`select recount_launches(), recount_token_markets()`.execute(db());
    const recounted = await bothTotals();
    expect(recounted.kept).toEqual(recounted.counted);
    const [first, second] = launched;
    for (const { mint } of [first!, second!]) await db().deleteFrom('tokens').where('mint', '=', mint).execute();
    await sql`delete from launches where quote_id = any(${[first!.quoteId, second!.quoteId]}::uuid[])`.execute(db());
    const { kept, counted } = await bothTotals();
    expect(kept).toEqual(counted);
  });
});

test('who writes waits for nobody: changes that are not committed keep no other change, and no total, waiting', async () => {
  const dice = createDice(9);
  const [held, other] = [await launch(db(), dice), await launch(db(), dice)];
  const save = (on: Db, mint: string, volume: number) =>
    sql`update token_markets set volume24h_usd = ${volume} where mint = ${mint}`.execute(on);
  const open = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const holding = transaction(db(), async (tx) => {
    // So many that this transaction adds changes up, and holds what it added up.
    for (let volume = 1; volume <= 70; volume += 1) await save(tx, held.mint, volume);
    begun.resolve();
    await open.promise;
  });
  await begun.promise;
  for (let volume = 1; volume <= 140; volume += 1) await save(db(), other.mint, volume);
  const during = await bothTotals();
  open.resolve();
  await holding;
  const after = await bothTotals();
  expect(during.kept).toEqual(during.counted);
  expect(after.kept).toEqual(after.counted);
  expect(Number(after.kept.volume24hUsd)).toBe(Number(during.kept.volume24hUsd) + 70);
});

test('what purchases cost is what their rounds add up to, when they end, are corrected and are removed', async () => {
  const [one, other] = [await launch(db(), createDice(10)), await launch(db(), createDice(11))];
  const buy = (id: string, kind: string, mint: string, number: number) =>
    sql`insert into buyback_rounds (id, kind, mint, number, quote_mint, most_raw, quote_usd, price_source, priced_at)
      values (${id}, ${kind}, ${mint}, ${number}, ${QUOTES[0]}, 10, ${number === 1 ? '1.5' : null}, ${number === 1 ? 'fixed' : null},
        ${number === 1 ? NOW : null})`.execute(db());
  const bought = (id: string, state: string, spentRaw: number) =>
    sql`update buyback_rounds set state = ${state}, spent_raw = ${spentRaw}, bought_raw = 3, signature = ${id}, slot = 1,
      settled_at = case when ${state} = 'done' then now() end where id = ${id}`.execute(db());
  await buy('a', 'buyback', one.mint, 1);
  await buy('b', 'buyback', other.mint, 1);
  await buy('c', 'flywheel', other.mint, 1);
  const expectSame = async () => expect(await buybackSpentUsd(db())).toBe(await countBuybacks(db()));
  await expectSame();
  for (const id of ['a', 'b', 'c']) await bought(id, 'bought', 7);
  await bought('a', 'done', 7);
  await buy('d', 'buyback', one.mint, 2);
  await bought('d', 'bought', 9);
  expect(await countBuybacks(db())).toBe('0.000021');
  await expectSame();
  await bought('b', 'done', 8);
  await sql`delete from buyback_rounds where id = 'a'`.execute(db());
  expect(await countBuybacks(db())).toBe('0.000012');
  await expectSame();
});
