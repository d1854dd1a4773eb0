import { availableParallelism, loadavg } from 'node:os';
import { sql } from 'kysely';
import type { Db } from '../db/connect.ts';
import { isOutdated, reprice, type Repricing } from '../db/market/reprice.ts';
import { createTestServices } from '../test/setup/services.ts';
import { openSeeded } from './reads/seeded.ts';
import { median, spreadOf } from './statistics.ts';
import { wantsJson } from './bench-command.ts';

// 133,265 tokens after quote tokens moved by 0.2 %, and trades meanwhile. Run: node bench/reprice.ts [--json]

const json = wantsJson('reprice');

const TOKENS = 133_265;
const ROUNDS = 3;
const AT_ONCE = 1_000;
const WRITE_EVERY_MS = 20;
const ABOUT_TO_GRADUATE_USD = '32000';

interface Quote {
  readonly mint: string;
  readonly tokens: number;
  usd: number;
}

interface Round {
  readonly ms: number;
  readonly statements: number;
  /** ms. */
  readonly writes: readonly number[];
}

interface Case {
  readonly moves: string;
  readonly tokens: number;
  readonly rounds: readonly Round[];
}

const services = createTestServices((text) => process.stderr.write(`${text}\n`));
try {
  const { adminUrl } = await services.postgres();
  const db = await openSeeded(adminUrl, { tokens: TOKENS, swaps: 0 });
  await seedStates(db);
  const quotes = await quotesOf(db);
  const [most, middle] = [quotes[0], quotes[Math.floor(quotes.length / 2)]];
  if (!most || !middle) throw new Error('no token has a quote token');
  report([
    await measureCase(db, quotes, 'every quote token', quotes),
    await measureCase(db, quotes, 'the one that most tokens have', [most]),
    await measureCase(db, quotes, 'the one in the middle', [middle]),
  ]);
  await db.destroy();
} finally {
  await services.stop();
}

async function seedStates(db: Db): Promise<void> {
  await sql`update pool_cursors as cursor set state_slot = market.last_slot, figures_quote_usd = 1.5, supply_raw = 1e18,
      base_vault_raw = 5e17, quote_vault_raw = 1e9, price_usd_before = market.price_usd
    from token_markets as market where market.mint = cursor.mint`.execute(db);
  await sql`vacuum analyze`.execute(db);
}

async function quotesOf(db: Db): Promise<Quote[]> {
  const { rows } = await sql<{ mint: string; tokens: number }>`
    select quote_mint as mint, count(*)::int as tokens from tokens group by 1 order by 2 desc, 1`.execute(db);
  return rows.map((row) => ({ ...row, usd: 1.5 }));
}

async function measureCase(db: Db, quotes: readonly Quote[], moves: string, moved: readonly Quote[]): Promise<Case> {
  const rounds: Round[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const quote of moved) quote.usd *= 1.002;
    rounds.push(await measure(db, quotes));
  }
  // The first round finds fresh tables.
  return { moves, tokens: moved.reduce((sum, { tokens }) => sum + tokens, 0), rounds: rounds.slice(1) };
}

async function measure(db: Db, quotes: readonly Quote[]): Promise<Round> {
  const prices = quotes.map(({ mint, usd }) => ({ mint, usd: usd.toFixed(6) }));
  const begun = performance.now();
  let [isOver, statements] = [false, 1];
  const writes = writeMeanwhile(db, () => isOver);
  if (!(await isOutdated(db, prices))) throw new Error('nothing waits although a quote token moved');
  for (let after: string | null = ''; after !== null; statements += 1) {
    const order: Repricing = { prices, aboutToGraduateUsd: ABOUT_TO_GRADUATE_USD, limit: AT_ONCE, after };
    after = (await reprice(db, order)).next;
  }
  const ms = performance.now() - begun;
  isOver = true;
  return { ms, statements, writes: await writes };
}

async function writeMeanwhile(db: Db, isOver: () => boolean): Promise<number[]> {
  const rows = await sql<{ mint: string }>`select mint from token_markets tablesample bernoulli (1)`.execute(db);
  const times: number[] = [];
  for (const { mint } of rows.rows) {
    if (isOver()) break;
    const begun = performance.now();
    await sql`update token_markets set volume24h_usd = volume24h_usd + 1 where mint = ${mint}`.execute(db);
    times.push(performance.now() - begun);
    await new Promise((resolve) => setTimeout(resolve, WRITE_EVERY_MS));
  }
  return times;
}

function report(cases: readonly Case[]): void {
  const figures = cases.map(({ moves, tokens, rounds }) => {
    const { p50, p99, max } = spreadOf(rounds.flatMap(({ writes }) => writes));
    const of = (figure: (round: Round) => number): number => median(rounds.map(figure));
    return {
      moves,
      tokens,
      ms: of(({ ms }) => ms),
      statements: of((round) => round.statements),
      write: { p50, p99, max },
    };
  });
  const machine = { load: loadavg()[0] ?? 0, cores: availableParallelism() };
  if (json) return console.log(JSON.stringify({ bench: 'reprice', cases: figures, ...machine }));
  for (const { moves, tokens, ms, statements, write } of figures) {
    console.log(`${moves}, ${tokens} tokens: ${(ms / 1_000).toFixed(1)} s in ${statements} statements, no RPC call`);
    const { p50, p99, max } = write;
    console.log(
      `  new figures of one token meanwhile: p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(1)}, most ${max.toFixed(1)} ms`,
    );
  }
  console.log(`load ${machine.load.toFixed(1)} on ${machine.cores} cores`);
}
