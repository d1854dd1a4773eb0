import { CamelCasePlugin, type CompiledQuery, Kysely, PostgresDialect } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seedScale } from '../../bench/reads/scale-seed.ts';
import { listCandles, wasTradedBefore } from '../../db/market/candles.ts';
import { createPool, type Db } from '../../db/connect.ts';
import { swapsBeyond } from '../../db/market/graduation.ts';
import { TOTAL_SUPPLY_RAW } from '../../domain/token-facts.ts';
import { tokensToCount } from '../../db/market/holder-counts.ts';
import { keptName } from '../../db/kept-plans.ts';
import { lookAlikesOf } from '../../db/look-alikes.ts';
import * as publicLedger from '../../db/launch/public-ledger.ts';
import type { Database } from '../../db/schema/database.ts';
import { findListedToken } from '../../db/market/listed-token.ts';
import { listTokens, TOKEN_SORTS, type TokenFilter, type TokenSort } from '../../db/market/token-list.ts';
import * as tokens from '../../db/tokens.ts';
import { settleAll } from '../../db/market/market-stream.ts';
import { provisionalOf } from '../../db/market/swaps.ts';
import { listTrades } from '../../db/market/trades.ts';
import { listWalletTrades } from '../../db/market/wallet-trades.ts';
import { launchTerms, signature } from '../support/launch/launch-rows.ts';
import { useDatabase } from '../support/db/use-database.ts';

const { url } = useDatabase();
const queries: CompiledQuery[] = [];
let [db, quoteMint, busiest, poolNumber]: [Db | undefined, string, string, number] = [undefined, '', '', 0];

beforeAll(async () => {
  const log = ({ query }: { query: CompiledQuery }) => void queries.push(query);
  const dialect = new PostgresDialect({ pool: createPool(url()) });
  db = new Kysely<Database>({ dialect, plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })], log });
  await seedScale(db, { tokens: 50_000, swaps: 20_000, terms: launchTerms() });
  const first = db.selectFrom('tokens').selectAll().orderBy('listingNumber').limit(1);
  ({ mint: busiest, quoteMint } = await first.executeTakeFirstOrThrow());
  const { number } = await db
    .selectFrom('poolCursors')
    .select('number')
    .where('mint', '=', busiest)
    .executeTakeFirstOrThrow();
  poolNumber = number;
});
afterAll(() => db?.destroy());

/** Unlike what begins and ends a database transaction. */
const hasPlan = ({ sql }: CompiledQuery) => /^\s*(with|select|insert|update|delete)\b/.test(sql);

/** PostgreSQL's plans of the queries that a read makes: those for its values, and those that a session keeps. */
async function planOf(read: (db: Db) => Promise<unknown>): Promise<string> {
  queries.length = 0;
  await read(db!);
  const made = queries.filter(hasPlan);
  const kept = made.filter(({ sql }) => keptName(sql) !== undefined);
  const explained = [
    ...made.map((query) => ({ ...query, sql: `explain ${query.sql}` })),
    ...kept.map((query) => ({ ...query, sql: `explain (generic_plan) ${query.sql}`, parameters: [] })),
  ];
  const plans = await Promise.all(explained.map((query) => db!.executeQuery<Record<string, string>>(query)));
  return plans.flatMap(({ rows }) => rows.flatMap((row) => Object.values(row))).join('\n');
}

/** Pairs are few, and read whole, and so are totals, and the months that have no swaps. */
const GROWING_TABLE_READ_WHOLE =
  /Seq Scan on (?!pairs|token_market_totals|token_market_changes|launch_totals|launch_changes|market_swaps_(?!2026_11))/;

/** Pages and the total that is known of the list: the last two are counted off from the end. */
const PAGES = [
  [1, undefined],
  [40, undefined],
  [1_500, undefined],
  [1_500, 50_000],
  [1_990, 50_000],
] as const;

const FILTERS: Readonly<Record<string, TokenFilter>> = {
  everything: {},
  'a fee model': { mode: 'reward' },
  'a rare status': { status: 'aboutToGraduate' },
  'a frequent status': { status: 'new' },
  'an airdrop': { airdrop: true },
  'an airdrop of a fee model': { airdrop: true, mode: 'reward' },
  'a category': { category: 'category-2' },
  'no such category': { category: 'none' },
  'a frequent term': { q: 'moon' },
  'a rare term': { q: 'pickle noodle' },
  'a term that no name has': { q: 'zzzqqq' },
  'a frequent letter': { q: 'm' },
  'a rare beginning': { q: 'wz' },
  'letters beyond ASCII': { q: '月亮犬' },
  'the beginning of a mint': { q: '9ABC' },
  'everything at once': { q: 'moon', mode: 'standard', status: 'graduated', category: 'category-2' },
};

const RANGES: Readonly<Record<string, TokenFilter>> = {
  'a range of caps': { minMarketCapUsd: 30_000, maxMarketCapUsd: 31_000 },
  'an open range of caps': { minMarketCapUsd: 1 },
  'a volume': { minVolume24hUsd: 100 },
  'a day of launches': { createdAfter: '2026-11-20T00:00:00Z', createdBefore: '2026-11-21T00:00:00Z' },
};

describe('the first pages of a range read indexes', () => {
  it.each(Object.entries(RANGES))('%s', async (_name, filter) => {
    for (const sort of TOKEN_SORTS) {
      for (const page of [1, 40]) {
        const plan = await planOf((on) => listTokens(on, filter, sort, { page, pageSize: 25 }));
        expect(plan, `${sort}, page ${page}`).not.toMatch(GROWING_TABLE_READ_WHOLE);
      }
    }
  });
});

describe('every list and search reads indexes, on the first page and deep in the list', () => {
  it.each(Object.entries(FILTERS))('%s', async (_name, filter) => {
    for (const sort of TOKEN_SORTS) {
      for (const [page, total] of PAGES) {
        const plan = await planOf((on) => listTokens(on, filter, sort, { page, pageSize: 25 }, total));
        expect(plan, `${sort}, page ${page} of ${total}`).toMatch(/Index (Only )?Scan/);
        expect(plan, `${sort}, page ${page} of ${total}`).not.toMatch(GROWING_TABLE_READ_WHOLE);
      }
    }
  });

  it('a pair, the ledger, the asset index, trades and candles', async () => {
    const to = new Date('2026-11-21T08:00:00Z');
    const candles = {
      mint: busiest,
      poolNumber,
      seconds: 60,
      currency: 'usd',
      from: new Date(to.getTime() - 3_600_000),
      to,
    } as const;
    const reads: ((on: Db) => Promise<unknown>)[] = [
      (on) => listTokens(on, { quoteMint }, 'volume', { page: 1, pageSize: 25 }),
      (on) => tokens.greatestPoolOf(on, quoteMint),
      (on) => findListedToken(on, busiest),
      (on) => lookAlikesOf(on, [{ mint: busiest, name: 'Moon Doge', symbol: 'MOON', createdAt: null }]),
      (on) => publicLedger.creatorRecord(on, 'creator-7'),
      (on) => publicLedger.page(on, {}, { page: 1_500, pageSize: 25 }),
      (on) => publicLedger.page(on, {}, { page: 1_900, pageSize: 25 }, 50_000),
      (on) => publicLedger.page(on, { airdrop: true }, { page: 1, pageSize: 25 }),
      (on) => publicLedger.page(on, { mode: 'reward' }, { page: 150, pageSize: 25 }),
      (on) => tokens.assetIndex(on, { limit: 1_000, offset: 48_000, order: 'oldest' }),
      (on) => listCandles(on, candles),
      (on) => wasTradedBefore(on, candles),
      (on) => tokens.newestListingNumber(on),
      (on) => tokens.mintsListed(on, 40_000n, 45_000n),
    ];
    for (const read of reads) expect(await planOf(read)).not.toMatch(GROWING_TABLE_READ_WHOLE);
  });

  it('a page of trades comes out of its index, however many there are', async () => {
    const mark = { slot: 500n, slotOrder: 0, signature: signature(), index: 0 };
    for (const after of [null, mark]) {
      const plan = await planOf((on) => listTrades(on, poolNumber, after, 26));
      expect(plan).toMatch(/Index Scan Backward using market_swaps_2026_11_pool_number_slot_slot_order_idx/);
      expect(plan).not.toMatch(/Bitmap Heap Scan on market_swaps_2026_11/);
      expect(plan).not.toMatch(GROWING_TABLE_READ_WHOLE);
    }
  });

  it('the trades of a wallet come out of its index', async () => {
    const mark = { slot: 500n, slotOrder: 0, signature: signature(), index: 0 };
    for (const after of [null, mark]) {
      const plan = await planOf((on) => listWalletTrades(on, '1'.repeat(32), after, 26));
      expect(plan).toContain('market_swaps_2026_11_substring_slot_idx');
      expect(plan).not.toMatch(GROWING_TABLE_READ_WHOLE);
    }
  });

  it('what is settled, and what is not final yet, is read by itself, however much was traded before', async () => {
    const cursors = await db!
      .selectFrom('poolCursors')
      .innerJoin('tokens', 'tokens.mint', 'poolCursors.mint')
      .select(['poolCursors.pool', 'poolCursors.mint', 'finalizedSlot'])
      .orderBy('listingNumber')
      .limit(100)
      .execute();
    const spans = cursors.map(({ pool, mint, finalizedSlot }) => {
      const nothing = { baseRaw: 0n, quoteRaw: null, swaps: [], highestCapUsd: null };
      return { pool, mint, fromSlot: finalizedSlot, untilSlot: finalizedSlot + 10n, ...nothing };
    });
    for (const some of [spans.slice(0, 1), spans.slice(1)]) {
      const plan = await planOf((on) => settleAll(on, some));
      expect(plan, `${some.length} pools`).not.toMatch(/Seq Scan on market_swaps_2026_11/);
      expect(plan, `${some.length} pools`).toMatch(
        /Index Cond: \(\(pool_number = span.number\) AND \(slot > span.after\)/,
      );
    }
    const plan = await planOf((on) =>
      provisionalOf(
        on,
        cursors.map(({ pool }) => pool),
      ),
    );
    expect(plan).not.toMatch(/Seq Scan on market_swaps_2026_11/);
  });

  it('a page in an order comes out of its index: nothing is sorted before it is cut to a page', async () => {
    for (const sort of TOKEN_SORTS) {
      for (const filter of [{}, { mode: 'reward' }, { status: 'new' }, { quoteMint }, { q: 'moon' }] as const) {
        const plan = await planOf((on) => listTokens(on, filter, sort, { page: 1, pageSize: 25 }));
        expect(plan).not.toMatch(/Limit[^\n]*\n\s*->\s+(Incremental )?Sort/);
      }
    }
  });

  it('a page near the end comes out of the same index, read backward, and only what lies behind it', async () => {
    for (const sort of TOKEN_SORTS) {
      for (const filter of [{}, { mode: 'reward' }, { status: 'new' }, { quoteMint }] as const) {
        const plan = await planOf((on) => listTokens(on, filter, sort, { page: 1_990, pageSize: 25 }, 50_000));
        expect(plan).toMatch(/Index Only Scan Backward|Index Scan Backward/);
        expect(plan).not.toMatch(/Limit[^\n]*\n\s*->\s+(Incremental )?Sort/);
      }
    }
  });

  it('a search along an order reads that order alone, not the table beside it', async () => {
    for (const sort of TOKEN_SORTS) {
      for (const filter of [
        { q: 'moon' },
        { q: 'noodle' },
        { q: 'mo' },
        { q: 'moon', category: 'category-2' },
      ] as const) {
        const plan = await planOf((on) => listTokens(on, filter, sort, { page: 1, pageSize: 25 }));
        expect(plan, `${filter.q} by ${sort}`).toMatch(/Index Only Scan using token_markets_(cap|newest|volume) /);
      }
    }
  });

  it('tokens whose holders are to be counted are found by when they were', async () => {
    expect(await planOf((on) => tokensToCount(on, new Date(), 20))).toContain('pool_cursors_holders_due');
  });

  it('who graduates is found by the high water mark', async () => {
    expect(await planOf((on) => swapsBeyond(on, 1e15, TOTAL_SUPPLY_RAW))).toContain('token_markets_ungraduated');
  });
});

/** What searches look through, read whole. */
async function allTokens() {
  const rows = db!.selectFrom('tokenMarkets').innerJoin('tokens', 'tokens.mint', 'tokenMarkets.mint');
  return rows
    .select(['tokens.mint', 'name', 'symbol', 'tokens.mode'])
    .select(['marketCapUsd', 'volume24hUsd', 'tokenMarkets.createdAt'])
    .execute();
}
type Token = Awaited<ReturnType<typeof allTokens>>[number];

/** Figures of the seed have few enough digits to be compared as numbers. */
const PLACES: Readonly<Record<TokenSort, (token: Token) => number>> = {
  marketCap: ({ marketCapUsd }) => Number(marketCapUsd),
  newest: ({ createdAt }) => createdAt.getTime(),
  volume: ({ volume24hUsd }) => Number(volume24hUsd),
};

function isFound({ mint, name, symbol }: Token, q: string): boolean {
  const [text, sign, term] = [name.toLowerCase(), symbol.toLowerCase(), q.toLowerCase()];
  if (mint.startsWith(q)) return true;
  return q.length <= 2 ? text.startsWith(term) || sign.startsWith(term) : text.includes(term) || sign.includes(term);
}

describe('a search finds what reading every token finds, page by page, whichever index it reads', () => {
  const TERMS = [
    'moon',
    'noodle',
    'pickle noodle',
    'moon noodle',
    'ninja n',
    'KING',
    'ppe',
    'mo',
    'x',
    '9A',
    '9AB',
    'zzzz',
  ];

  const FOUND: (TokenFilter & { q: string })[] = TERMS.flatMap((q) => [{ q }, { q, mode: 'reward' }]);

  it.each(FOUND)('%j', async (filter) => {
    const { q, mode } = filter;
    const found = (await allTokens()).filter((token) => isFound(token, q) && (!mode || token.mode === mode));
    for (const sort of TOKEN_SORTS) {
      const place = PLACES[sort];
      const inOrder = found.toSorted((a, b) => place(b) - place(a) || (a.mint < b.mint ? 1 : -1));
      for (const page of [1, 2, 3, 20]) {
        const { tokens, hasMore } = await listTokens(db!, filter, sort, { page, pageSize: 25 });
        const expected = inOrder.slice((page - 1) * 25, page * 25).map(({ mint }) => mint);
        expect(tokens.map(({ mint }) => mint)).toEqual(expected);
        expect(hasMore).toBe(inOrder.length > page * 25);
      }
    }
  });
});
