import { availableParallelism, loadavg } from 'node:os';
import pg from 'pg';
import { migrateToLatest } from '../db/migrate.ts';
import { createTestServices } from '../test/setup/services.ts';
import { type DoubtedIndex, measureDoubts } from './market/doubted-index.ts';
import { type IdleIndex, measureIdle } from './market/idle-index.ts';
import { type LoadedIndex, measureLoad } from './market/loaded-index.ts';
import { measureSwapCalls, type SwapCalls } from './market/swap-calls.ts';
import { wantsJson } from './bench-command.ts';

// What the index of the market asks of RPC and of the database for a swap, by a stream and by looking at pools; how it stands 100
// swaps a second; what it asks while nobody trades; and what it makes of a stream that fails.
// Run: node bench/market-stream.ts [--json]

const json = wantsJson('market-stream');

const services = createTestServices((text) => process.stderr.write(`${text}\n`));
try {
  const { adminUrl } = await services.postgres();
  const calls: SwapCalls[] = [];
  for (const [source, perSecond, seconds] of [
    ['follows a stream', 1, 120],
    ['follows a stream', 8, 40],
    ['looks at pools', 1, 120],
    ['looks at pools', 8, 40],
  ] as const) {
    const url = await freshDatabase(adminUrl, `calls_${calls.length}`);
    calls.push(await measureSwapCalls(url, source, { perSecond, seconds }));
  }
  const load = { pools: 2_000, perSecond: 100, seconds: 60, roundTripMs: 50 };
  const loaded = await measureLoad(await freshDatabase(adminUrl, 'load'), load);
  const doubts = await measureDoubts(await freshDatabase(adminUrl, 'doubts'));
  report({ calls, loaded, doubts, idle: await measureIdle(await freshDatabase(adminUrl, 'idle'), 133_265) });
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

interface Measured {
  readonly calls: readonly SwapCalls[];
  readonly loaded: LoadedIndex;
  readonly doubts: DoubtedIndex;
  readonly idle: readonly IdleIndex[];
}

function report({ calls, loaded: load, doubts, idle }: Measured): void {
  const machine = { loadAverage: loadavg()[0] ?? 0, cores: availableParallelism() };
  if (json) return console.log(JSON.stringify({ bench: 'market-stream', calls, load, doubts, idle, ...machine }));
  for (const { source, perSecond, swaps, rpc, sql } of calls) {
    const each = `${rpc.toFixed(2)} RPC calls and ${sql.toFixed(1)} statements a swap`;
    console.log(`an index that ${source}, ${perSecond}/s (${swaps} swaps): ${each}`);
  }
  const { pools, swaps, seconds, backlog, emptyAfter, finalAfter, p50, p95, rpc, sql } = load;
  console.log(
    `${swaps} swaps on ${pools} pools in ${seconds} s, RPC 50 ms away: a row after ${p50.toFixed(0)} ms, 95 % within ` +
      `${p95.toFixed(0)}; at most ${backlog} behind; after the last one all stored within ${emptyAfter.toFixed(1)} s, ` +
      `all final within ${finalAfter.toFixed(1)} s; ${rpc.toFixed(3)} RPC calls and ${sql.toFixed(2)} statements a swap`,
  );
  console.log(
    `${doubts.swaps} swaps, ${doubts.forks} forks, ${doubts.cuts} cuts and ${doubts.missed} swaps that were not told of: ` +
      `as counted on the chain, with ${doubts.rpc} calls for histories and transactions`,
  );
  for (const { source, pools: all, seconds: span, begins, ...asked } of idle) {
    const tenMinutes = 600 / span;
    console.log(
      `${all} pools of which none is traded, an index that ${source}: ${(asked.rpc * tenMinutes).toFixed(0)} RPC calls, ` +
        `${((asked.bytes * tenMinutes) / 1e6).toFixed(1)} MB, ${((asked.cpuMs * tenMinutes) / 1_000).toFixed(0)} s of CPU and ` +
        `${(asked.sql * tenMinutes).toFixed(0)} statements in 10 minutes; it begins within ${begins.toFixed(1)} s`,
    );
  }
  console.log(`load ${machine.loadAverage.toFixed(1)} on ${machine.cores} cores`);
}
