import { availableParallelism, loadavg } from 'node:os';
import { sql } from 'kysely';
import type { Db } from '../db/connect.ts';
import * as publicLedger from '../db/launch/public-ledger.ts';
import { countTokens, listTokens } from '../db/market/token-list.ts';
import * as stats from '../db/stats.ts';
import { createTestServices } from '../test/setup/services.ts';
import { countTotals } from '../test/support/market/count-totals.ts';
import { openSeeded } from './reads/seeded.ts';
import { median, spreadOf } from './statistics.ts';
import { wantsJson } from './bench-command.ts';

// /stats, deep pages with 133,265 tokens, totals per write. Run: node bench/totals.ts [--json]

const json = wantsJson('totals');

const TOKENS = 133_265;
const PAGE_SIZE = 25;
const ROUNDS = 40;
const WRITES = 20;
const NOW = new Date('2026-11-21T18:20:00Z');

type Work = () => Promise<unknown>;

const services = createTestServices((text) => process.stderr.write(`${text}\n`));
try {
  const { adminUrl } = await services.postgres();
  const db = await openSeeded(adminUrl, { tokens: TOKENS, swaps: 0 });
  report({ ...(await measureReads(db)), ...(await measureWrites(db)) });
  await db.destroy();
} finally {
  await services.stop();
}

/** Least ms, alternating. */
async function inTurns<Name extends string>(contenders: Readonly<Record<Name, Work>>): Promise<Record<Name, number>> {
  const entries = Object.entries<Work>(contenders);
  const times = new Map(entries.map(([name]) => [name, new Array<number>()]));
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [name, work] of entries) {
      const begun = performance.now();
      await work();
      if (round > 0) times.get(name)?.push(performance.now() - begun);
    }
  }
  return Object.fromEntries([...times].map(([name, all]) => [name, spreadOf(all).min])) as Record<Name, number>;
}

async function measureReads(db: Db) {
  const page =
    (number: number, isFromStart = false) =>
    async () => {
      const total = await countTokens(db, {});
      const paging = { page: number, pageSize: PAGE_SIZE };
      return listTokens(db, {}, 'marketCap', paging, isFromStart ? undefined : total);
    };
  const ledgerPage =
    (number: number, isFromStart = false) =>
    async () => {
      const total = await publicLedger.count(db, {});
      return publicLedger.page(db, {}, { page: number, pageSize: PAGE_SIZE }, isFromStart ? undefined : total);
    };
  return inTurns({
    stats: () => stats.totals(db, NOW),
    'tables counted': () => countTotals(db, NOW),
    'page 1': page(1),
    'page 5000': page(5_000),
    'page 5000 from the start': page(5_000, true),
    'page 2666, the middle': page(2_666),
    'ledger, page 1': ledgerPage(1),
    'ledger, page 5000': ledgerPage(5_000),
    'ledger, page 5000 from the start': ledgerPage(5_000, true),
  });
}

async function measureWrites(db: Db) {
  const times = { write: new Array<number>(), 'write without totals': new Array<number>() };
  const { mint } = await db.selectFrom('tokenMarkets').select('mint').limit(1).executeTakeFirstOrThrow();
  for (let round = 0; round < ROUNDS; round += 1) {
    const isKept = round % 2 === 0;
    await sql`alter table token_markets ${sql.raw(isKept ? 'enable' : 'disable')} trigger token_markets_total_update`.execute(
      db,
    );
    for (let write = 0; write < WRITES; write += 1) {
      const begun = performance.now();
      await sql`update token_markets set volume24h_usd = ${write} where mint = ${mint}`.execute(db);
      times[isKept ? 'write' : 'write without totals'].push(performance.now() - begun);
    }
  }
  return { write: median(times.write), 'write without totals': median(times['write without totals']) };
}

function report(ms: Readonly<Record<string, number>>): void {
  const machine = { load: loadavg()[0] ?? 0, cores: availableParallelism() };
  if (json) return console.log(JSON.stringify({ bench: 'totals', tokens: TOKENS, ms, ...machine }));
  for (const [name, time] of Object.entries(ms)) console.log(`${name}: ${time.toFixed(2)} ms`);
  const ratio = (one: string, other: string) => ((ms[one] ?? 0) / (ms[other] ?? 1)).toFixed(2);
  console.log(
    `page 5000 takes ${ratio('page 5000', 'page 1')} times page 1, the middle ${ratio('page 2666, the middle', 'page 1')}`,
  );
  console.log(`load ${machine.load.toFixed(1)} on ${machine.cores} cores`);
}
