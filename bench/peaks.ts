import { sql } from 'kysely';
import { connect, type Db } from '../db/connect.ts';
import * as peaks from '../db/market/peaks.ts';
import { GRADUATION_MARKET_CAP_USD } from '../domain/market/graduation.ts';
import { TOTAL_SUPPLY_RAW } from '../domain/token-facts.ts';
import { sealedUsd } from '../domain/trading/spendable-price.ts';
import { createTestServices } from '../test/setup/services.ts';
import { wantsJson } from './bench-command.ts';
import { printedRows } from './printed-rows.ts';
import { openSeeded } from './reads/seeded.ts';
import { median } from './statistics.ts';

// Counts what a round of peaks reads. Run: node bench/peaks.ts [--json]

const { shown, end } = printedRows(wantsJson('peaks'));

const POOLS = [2_000, 133_265];
const SWAPS_OF_A_POOL = 10;
const AT_ONCE = 1_000;
const ROUNDS = 5;
/** Seeded peaks are of this price. */
const SEEDED_USD = 1.5;
const MOVES: Readonly<Record<string, number>> = { 'nothing has risen': 1, 'every quote token is 1 % dearer': 1.01 };

interface Round {
  readonly ms: number;
  readonly statements: number;
  /** Pages of 8 kB that all statements read, cached or not. */
  readonly buffers: number;
  readonly risen: number;
}

const services = createTestServices((text) => process.stderr.write(`${text}\n`));
try {
  const cases: object[] = [];
  for (const pools of POOLS) {
    const db = await openSeeded(await newDatabase(pools), { tokens: pools, swaps: pools * SWAPS_OF_A_POOL });
    await seedStates(db);
    for (const [move, factor] of Object.entries(MOVES))
      cases.push(shown({ pools, move, ...(await measure(db, SEEDED_USD * factor)) }, rowOf));
    await db.destroy();
  }
  end({ bench: 'peaks', cases });
} finally {
  await services.stop();
}

/** Returns its URL. */
async function newDatabase(pools: number): Promise<string> {
  const { adminUrl } = await services.postgres();
  const [admin, url] = [connect(adminUrl, { maxConnections: 1 }), new URL(adminUrl)];
  url.pathname = `/peaks_${pools}`;
  await sql`create database ${sql.id(url.pathname.slice(1))}`.execute(admin);
  await admin.destroy();
  return url.href;
}

/** Supplies, and final swaps at the prices that markets show. */
async function seedStates(db: Db): Promise<void> {
  await sql`update pool_cursors set supply_raw = 1e18, state_slot = finalized_slot`.execute(db);
  await sql`update market_swaps as swap set price_quote = market.price_quote
    from pool_cursors as cursor join token_markets as market on market.mint = cursor.mint
    where cursor.number = swap.pool_number`.execute(db);
  await sql`vacuum analyze`.execute(db);
}

async function measure(db: Db, usd: number): Promise<Round> {
  const rounds: Round[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) rounds.push(await readOnce(db, usd));
  // The first one warms up.
  const middle = (of: (round: Round) => number) => median(rounds.slice(1).map(of));
  return {
    ms: middle(({ ms }) => ms),
    statements: middle(({ statements }) => statements),
    buffers: middle(({ buffers }) => buffers),
    risen: middle(({ risen }) => risen),
  };
}

async function readOnce(db: Db, usd: number): Promise<Round> {
  const mints = await sql<{ mint: string }>`select distinct quote_mint as mint from tokens`.execute(db);
  const quotes = mints.rows.map(({ mint }) => ({ mint, usd: sealedUsd(usd.toFixed(6)) }));
  const page = { quotes, graduationUsd: GRADUATION_MARKET_CAP_USD, mostRaw: TOTAL_SUPPLY_RAW, limit: AT_ONCE };
  let [statements, risen] = [0, 0];
  const [before, begun] = [await buffersOf(db), performance.now()];
  for (let after: string | null = ''; after !== null; statements += 1) {
    const read: peaks.RisenPage = await peaks.risenTokens(db, { ...page, after });
    risen += read.tokens.length;
    after = read.next;
  }
  const ms = performance.now() - begun;
  return { ms, statements, risen, buffers: (await buffersOf(db)) - before };
}

/** Returns what this database counted so far; connections hand in their counts first. */
async function buffersOf(db: Db): Promise<number> {
  await sql`select pg_stat_force_next_flush()`.execute(db);
  const { rows } = await sql<{ buffers: number }>`
    select (blks_hit + blks_read)::float8 as buffers from pg_stat_database where datname = current_database()`.execute(
    db,
  );
  return rows[0]?.buffers ?? 0;
}

function rowOf({ pools, move, ms, statements, buffers, risen }: Round & { pools: number; move: string }): string {
  return `${pools} pools, ${move}: ${risen} risen, ${statements} statements, ${buffers.toFixed(0)} buffers, ${ms.toFixed(0)} ms`;
}
