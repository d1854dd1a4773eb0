import { availableParallelism, loadavg } from 'node:os';
import { createTestServices } from '../test/setup/services.ts';
import { compare, type Comparison, type Contender } from './reads/compare.ts';
import { databaseCpuMs } from './reads/database-cpu.ts';
import { LIST_PATHS } from './reads/list-queries.ts';
import { openSeeded } from './reads/seeded.ts';
import { startServer } from './reads/server-process.ts';
import { wantsJson } from './bench-command.ts';

// Against minimal servers. Run: node bench/reads.ts [--json]

const json = wantsJson('reads');

const TOKENS = 20_000;
const LIST = '/api/public/v1/tokens';
const DOCUMENT = '/api/public/v1/openapi.json';

/** More than the cache's lifetime holds. */
const UNCACHED = Array.from({ length: 480 }, (_, page) => page + 1).flatMap((page) =>
  LIST_PATHS.map((query) => `${LIST}?${query}&page=${page}`),
);

const services = createTestServices((text) => process.stderr.write(`${text}\n`));
try {
  const { adminUrl } = await services.postgres();
  const db = await openSeeded(adminUrl, { tokens: TOKENS, swaps: 0 });
  const comparisons = await measure(adminUrl, () => databaseCpuMs(db));
  await db.destroy();
  console.log(json ? JSON.stringify({ bench: 'reads', ...machine(), comparisons }) : text(comparisons));
} finally {
  await services.stop();
}

async function measure(databaseUrl: string, databaseCpu: () => Promise<number>): Promise<Comparison[]> {
  const [api, bare, hello] = [
    await startServer('api', databaseUrl),
    await startServer('bare', databaseUrl),
    await startServer('hello', databaseUrl),
  ];
  const world: Contender = { server: hello, paths: ['/'] };
  const read = (path: string, headers: Record<string, string> = {}): Contender => ({
    server: api,
    paths: [path],
    headers,
  });
  // `*`: the ETag changes with time.
  const known = (path: string) => read(path, { 'if-none-match': '*' });
  try {
    return [
      await compare(
        'GET /tokens, uncached, against node:http + pg',
        { server: api, paths: UNCACHED, databaseCpuMs: databaseCpu },
        { server: bare, paths: UNCACHED, databaseCpuMs: databaseCpu },
      ),
      // Headers, CORS, counter, log, validation.
      await compare('GET /tokens from the cache, 304, against Fastify hello-world', known(LIST), world),
      await compare('GET /tokens from the cache, against Fastify hello-world', read(LIST), world),
      await compare('GET /openapi.json from the cache, 304, against Fastify hello-world', known(DOCUMENT), world),
    ];
  } finally {
    await Promise.all([api.stop(), bare.stop(), hello.stop()]);
  }
}

function machine() {
  return { load: loadavg()[0] ?? 0, cores: availableParallelism() };
}

function text(comparisons: readonly Comparison[]): string {
  const { load, cores } = machine();
  const lines = comparisons.map(({ name, ours, theirs, ratioPerSecond, ratioPerCpuSecond, ratioOfCpu }) =>
    [
      `${name}: ${ratioPerSecond.toFixed(2)} of its requests a second, ${ratioPerCpuSecond.toFixed(2)} a second of its CPU, ${ratioOfCpu.toFixed(2)} with the database's CPU`,
      `  ours   ${line(ours)}`,
      `  theirs ${line(theirs)}`,
    ].join('\n'),
  );
  return [...lines, `load ${load.toFixed(1)} on ${cores} cores`].join('\n');
}

function line({ perSecond, perCpuSecond, cpuMs, p50Ms, p99Ms, bodyBytes, status }: Comparison['ours']): string {
  return `${perSecond.toFixed(0)}/s, ${perCpuSecond.toFixed(0)}/s of its CPU, ${cpuMs.toFixed(2)} ms with the database's, p50 ${p50Ms.toFixed(2)} ms, p99 ${p99Ms.toFixed(2)} ms, ${status} with ${bodyBytes} bytes`;
}
