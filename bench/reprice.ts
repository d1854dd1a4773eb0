import { availableParallelism, loadavg } from 'node:os';
import { sql } from 'kysely';
import type { Db } from '../db/connect.ts';
import { reprice, type Repricing } from '../db/market/reprice.ts';
import { createTestServices } from '../test/setup/services.ts';
import { openSeeded } from './reads/seeded.ts';
import { median, spreadOf } from './statistics.ts';
import { wantsJson } from './bench-command.ts';

// How long it takes until the figures of 133,265 tokens are right after every quote token moved by 0.2 %, and how long a trade's
// new figures wait meanwhile.
// Run: node bench/reprice.ts [--json]

const json = wantsJson('reprice');

const TOKENS = 133_265;
const ROUNDS = 3;
const AT_ONCE = 1_000;
const WRITE_EVERY_MS = 20;
const ABOUT_TO_GRADUATE_USD = '32000';

interface Round {
  readonly ms: number;
  readonly statements: number;
  /** How long each update of one token took while it went on, ms. */
  readonly writes: readonly number[];
}

const services = createTestServices((text) => process.stderr.write(`${text}\n`));
try {
  const { adminUrl } = await services.postgres();
  const db = await openSeeded(adminUrl, { tokens: TOKENS, swaps: 0 });
  await seedStates(db);
  const rounds: Round[] = [];
  for (let round = 0; round < ROUNDS; round += 1) rounds.push(await measure(db, round));
  // The first one finds the tables as no round leaves them.
  report(rounds.slice(1));
  await db.destroy();
} finally {
  await services.stop();
}

/** What the figures were computed of, at a price of 1.5 USD of each quote token. */
async function seedStates(db: Db): Promise<void> {
  await sql`update pool_cursors as cursor set state_slot = market.last_slot, figures_quote_usd = 1.5, supply_raw = 1e18,
      base_vault_raw = 5e17, quote_vault_raw = 1e9, price_usd_before = market.price_usd
    from token_markets as market where market.mint = cursor.mint`.execute(db);
  await sql`vacuum analyze`.execute(db);
}

async function measure(db: Db, round: number): Promise<Round> {
  const usd = (1.5 * 1.002 ** (round + 1)).toFixed(6);
  const mints = await db.selectFrom('pairs').select('mint').execute();
  const prices = mints.map(({ mint }) => ({ mint, usd }));
  const begun = performance.now();
  let [isOver, statements] = [false, 0];
  const writes = writeMeanwhile(db, () => isOver);
  for (let after: string | null = ''; after !== null; statements += 1) {
    const order: Repricing = { prices, aboutToGraduateUsd: ABOUT_TO_GRADUATE_USD, limit: AT_ONCE, after };
    after = (await reprice(db, order)).next;
  }
  const ms = performance.now() - begun;
  isOver = true;
  return { ms, statements, writes: await writes };
}

/** New figures of one token after another, as trades bring them. */
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

function report(rounds: readonly Round[]): void {
  const { p50, p99, max } = spreadOf(rounds.flatMap(({ writes }) => writes));
  const figures = {
    tokens: TOKENS,
    ms: median(rounds.map(({ ms }) => ms)),
    statements: median(rounds.map(({ statements }) => statements)),
    write: { p50, p99, max },
  };
  const machine = { load: loadavg()[0] ?? 0, cores: availableParallelism() };
  if (json) return console.log(JSON.stringify({ bench: 'reprice', ...figures, ...machine }));
  console.log(
    `${TOKENS} tokens: ${(figures.ms / 1_000).toFixed(1)} s in ${figures.statements} statements, no RPC call`,
  );
  console.log(
    `new figures of one token meanwhile: p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(1)}, most ${max.toFixed(1)} ms`,
  );
  console.log(`load ${machine.load.toFixed(1)} on ${machine.cores} cores`);
}
