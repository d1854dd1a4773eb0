import { availableParallelism, loadavg } from 'node:os';
import pg from 'pg';
import { createTestServices } from '../test/setup/services.ts';
import { runLoad } from './reads/load.ts';
import { openSeeded } from './reads/seeded.ts';
import { type ServerProcess, startServer } from './reads/server-process.ts';
import { median, quantile } from './statistics.ts';
import { benchCommand } from './bench-command.ts';
import { wholeNumber } from './whole-number.ts';

// With 100 times as many tokens, alternating. Run: node bench/search.ts [--swaps 5000000] [--json]

const [FEW, MANY] = [1_000, 100_000];
const ROUNDS = 9;
const ROUND_MS = 2_000;

const TERMS =
  'moon doge cat king elon solar noodle waffle gold dragon moon%20doge moon%20noodle king%20taco noodle%20waffle ' +
  'ai m d x mo ca wz zzzz nothing9 9A FF 9AB';
const SORTS = ['marketCap', 'newest', 'volume'];

const PATHS = Array.from({ length: 40 }, (_, page) => page + 1).flatMap((pageSize) =>
  SORTS.flatMap((sort) =>
    TERMS.split(' ').map((q) => `/api/public/v1/tokens?q=${q}&sort=${sort}&pageSize=${20 + pageSize}`),
  ),
);

const { swaps, json } = benchCommand('search')
  .option('--swaps <number>', 'swaps that lie beside the tokens', wholeNumber(0, 100_000_000), 0)
  .parse()
  .opts<{ swaps: number; json?: true }>();
const services = createTestServices((text) => process.stderr.write(`${text}\n`));
try {
  const { adminUrl } = await services.postgres();
  const [few, many] = [await seeded(adminUrl, 'few', FEW, 0), await seeded(adminUrl, 'many', MANY, swaps)];
  const servers = { few: await startServer('api', few), many: await startServer('api', many) };
  const rounds = [];
  for (let round = 0; round <= ROUNDS; round += 1) rounds.push(await runRound(servers, round % 2 === 0));
  await Promise.all([servers.few.stop(), servers.many.stop()]);
  report(rounds.slice(1));
} finally {
  await services.stop();
}

async function seeded(adminUrl: string, name: string, tokens: number, count: number): Promise<string> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  await client.query(`create database ${client.escapeIdentifier(name)}`);
  await client.end();
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  await (await openSeeded(url.href, { tokens, swaps: count })).destroy();
  return url.href;
}

async function runRound(servers: { few: ServerProcess; many: ServerProcess }, fewFirst: boolean) {
  const ask = async ({ port }: ServerProcess) =>
    (await runLoad({ port, paths: PATHS, connections: 1, ms: ROUND_MS })).latencies;
  if (fewFirst) return { few: await ask(servers.few), many: await ask(servers.many) };
  const many = await ask(servers.many);
  return { few: await ask(servers.few), many };
}

type Rounds = readonly { readonly few: readonly number[]; readonly many: readonly number[] }[];

function report(rounds: Rounds): void {
  const searches = { few: bySearch(rounds.map(({ few }) => few)), many: bySearch(rounds.map(({ many }) => many)) };
  const requests = { few: rounds.flatMap(({ few }) => few), many: rounds.flatMap(({ many }) => many) };
  const ratios = rounds.map(({ few, many }) => quantile(many, 0.99) / quantile(few, 0.99));
  const figures = {
    searches: { p50: compared(searches, 0.5), p99: compared(searches, 0.99) },
    requests: { p50: compared(requests, 0.5), p99: { ...compared(requests, 0.99), ratio: median(ratios) } },
  };
  const slowest = slowestOf(searches.many);
  const machine = { load: loadavg()[0] ?? 0, cores: availableParallelism(), swaps };
  if (json === true) {
    console.log(JSON.stringify({ bench: 'search', ...figures, slowest, ...machine }));
    return;
  }
  for (const [of, quantiles] of Object.entries(figures)) {
    for (const [name, { few, many, ratio }] of Object.entries(quantiles)) {
      const times = `${many.toFixed(2)} ms with ${MANY} tokens, ${few.toFixed(2)} ms with ${FEW}`;
      console.log(`${of} ${name}: ${times}, ratio ${ratio.toFixed(2)}`);
    }
  }
  console.log(
    `slowest with ${MANY} tokens: ${slowest.map(({ search, ms }) => `${search} ${ms.toFixed(2)} ms`).join(', ')}`,
  );
  console.log(`load ${machine.load.toFixed(1)} on ${machine.cores} cores, ${swaps} swaps`);
}

function slowestOf(times: readonly number[]): { readonly search: string; readonly ms: number }[] {
  const names = SORTS.flatMap((sort) => TERMS.split(' ').map((q) => `${decodeURIComponent(q)} by ${sort}`));
  const all = names.map((search, kind) => ({ search, ms: times[kind] ?? 0 }));
  return all.sort((a, b) => b.ms - a.ms).slice(0, 5);
}

function bySearch(rounds: readonly (readonly number[])[]): number[] {
  const kinds = TERMS.split(' ').length * SORTS.length;
  const times = rounds.flatMap((latencies) => latencies.map((ms, index) => ({ ms, kind: index % kinds })));
  const groups = Map.groupBy(times, ({ kind }) => kind);
  return Array.from({ length: kinds }, (_, kind) => median((groups.get(kind) ?? []).map(({ ms }) => ms)));
}

function compared({ few, many }: { readonly few: number[]; readonly many: number[] }, share: number) {
  const [small, large] = [quantile(few, share), quantile(many, share)];
  return { few: small, many: large, ratio: large / small };
}
