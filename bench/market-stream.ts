import pg from 'pg';
import { migrateToLatest } from '../db/migrate.ts';
import { createTestServices } from '../test/setup/services.ts';
import { type DoubtedIndex, measureDoubts } from './market/doubted-index.ts';
import { type IdleIndex, measureIdle } from './market/idle-index.ts';
import { type LoadedIndex, measureLoad } from './market/loaded-index.ts';
import { measureSwapCalls, type SwapCalls } from './market/swap-calls.ts';
import { wantsJson } from './bench-command.ts';
import { printedRows, say } from './printed-rows.ts';

// Calls and statements per swap, by stream and polling; load; idle cost; a failing stream. Run: node
// bench/market-stream.ts [--json]

const SOURCES = ['follows a stream', 'looks at pools'] as const;

const { shown, end } = printedRows(wantsJson('market-stream'));

const services = createTestServices(say);
try {
  const { adminUrl } = await services.postgres();
  const calls: SwapCalls[] = [];
  // Counts, not times: both indexes are measured at once, each with a local chain and a database for itself.
  for (const rate of [
    { perSecond: 1, seconds: 45 },
    { perSecond: 8, seconds: 15 },
  ]) {
    const indexes = SOURCES.join(' and one that ');
    say(`measuring an index that ${indexes}, ${rate.perSecond} swaps a second for ${rate.seconds} s …`);
    const measured = SOURCES.map(async (source, index) => {
      const url = await freshDatabase(adminUrl, `calls_${rate.perSecond}_${index}`);
      return shown(await measureSwapCalls(url, source, rate), callsRow);
    });
    calls.push(...(await Promise.all(measured)));
  }
  const load = { pools: 2_000, perSecond: 100, seconds: 30, roundTripMs: 50 };
  say('measuring 100 swaps a second …');
  const loaded = shown(await measureLoad(await freshDatabase(adminUrl, 'load'), load), loadRow);
  say('measuring a stream that fails …');
  const doubts = shown(await measureDoubts(await freshDatabase(adminUrl, 'doubts')), doubtsRow);
  say('measuring 133,265 idle pools …');
  const idle = await measureIdle(await freshDatabase(adminUrl, 'idle'), 133_265);
  for (const row of idle) shown(row, idleRow);
  end({ bench: 'market-stream', calls, load: loaded, doubts, idle });
} finally {
  await services.stop();
}

async function freshDatabase(adminUrl: string, name: string): Promise<string> {
  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  await admin.query(`create database ${admin.escapeIdentifier(name)}`);
  await admin.end();
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  await migrateToLatest(url.href);
  return url.href;
}

function callsRow({ source, perSecond, swaps, rpc, sql }: SwapCalls): string {
  const each = `${rpc.toFixed(2)} RPC calls and ${sql.toFixed(1)} statements a swap`;
  return `an index that ${source}, ${perSecond}/s (${swaps} swaps): ${each}`;
}

function loadRow(load: LoadedIndex): string {
  const { pools, swaps, seconds, backlog, emptyAfter, finalAfter, p50, p95, rpc, sql } = load;
  return (
    `${swaps} swaps on ${pools} pools in ${seconds} s, RPC 50 ms away: a row after ${p50.toFixed(0)} ms, 95 % within ` +
    `${p95.toFixed(0)}; at most ${backlog} behind; after the last one all stored within ${emptyAfter.toFixed(1)} s, ` +
    `all final within ${finalAfter.toFixed(1)} s; ${rpc.toFixed(3)} RPC calls and ${sql.toFixed(2)} statements a swap`
  );
}

function doubtsRow({ swaps, forks, cuts, missed, rpc }: DoubtedIndex): string {
  return (
    `${swaps} swaps, ${forks} forks, ${cuts} cuts and ${missed} swaps that the stream lost: ` +
    `as counted on the chain, with ${rpc} calls for histories and transactions`
  );
}

function idleRow({ source, pools, seconds, begins, ...asked }: IdleIndex): string {
  const tenMinutes = 600 / seconds;
  return (
    `${pools} pools without a trade, an index that ${source}: ${(asked.rpc * tenMinutes).toFixed(0)} RPC calls, ` +
    `${((asked.bytes * tenMinutes) / 1e6).toFixed(1)} MB, ${((asked.cpuMs * tenMinutes) / 1_000).toFixed(0)} s of CPU and ` +
    `${(asked.sql * tenMinutes).toFixed(0)} statements in 10 minutes; it begins within ${begins.toFixed(1)} s`
  );
}
