import { median, quantile } from '../statistics.ts';
import { runLoad } from './load.ts';
import type { ServerProcess } from './server-process.ts';

export interface Contender {
  readonly server: ServerProcess;
  readonly paths: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  /** CPU time that the database used, ms. */
  readonly databaseCpuMs?: () => Promise<number>;
}

export interface Standing {
  readonly perSecond: number;
  /** Of the server's own CPU second. */
  readonly perCpuSecond: number;
  /** CPU of server and database, ms a request. */
  readonly cpuMs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly bodyBytes: number;
  readonly status: number;
}

export interface Comparison {
  readonly name: string;
  readonly ours: Standing;
  readonly theirs: Standing;
  readonly ratioPerSecond: number;
  readonly ratioPerCpuSecond: number;
  /** Theirs in ours, of the CPU of server and database: the least disturbed by other work on the machine. */
  readonly ratioOfCpu: number;
}

/** One more warms up. */
const ROUNDS = 7;
const ROUND_MS = 2_500;
const CONNECTIONS = 8;

export async function compare(name: string, ours: Contender, theirs: Contender): Promise<Comparison> {
  const rounds: { readonly ours: Standing; readonly theirs: Standing }[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const first = await runRound(round % 2 === 0 ? ours : theirs);
    const second = await runRound(round % 2 === 0 ? theirs : ours);
    rounds.push(round % 2 === 0 ? { ours: first, theirs: second } : { ours: second, theirs: first });
  }
  const counted = rounds.slice(1);
  const ratio = (key: 'perSecond' | 'perCpuSecond' | 'cpuMs') =>
    median(counted.map((round) => round.ours[key] / round.theirs[key]));
  return {
    name,
    ours: middleOf(counted.map((round) => round.ours)),
    theirs: middleOf(counted.map((round) => round.theirs)),
    ratioPerSecond: ratio('perSecond'),
    ratioPerCpuSecond: ratio('perCpuSecond'),
    ratioOfCpu: 1 / ratio('cpuMs'),
  };
}

async function runRound({ server, paths, headers = {}, databaseCpuMs }: Contender): Promise<Standing> {
  const databaseBefore = await databaseCpuMs?.();
  const [cpuBefore, begun] = [await server.cpuMs(), performance.now()];
  const { requests, latencies, bodyBytes, status } = await runLoad({
    port: server.port,
    paths,
    headers,
    connections: CONNECTIONS,
    ms: ROUND_MS,
  });
  const [ms, cpuMs] = [performance.now() - begun, (await server.cpuMs()) - cpuBefore];
  const databaseMs = databaseBefore === undefined ? 0 : (await databaseCpuMs!()) - databaseBefore;
  return {
    perSecond: (requests / ms) * 1_000,
    perCpuSecond: (requests / cpuMs) * 1_000,
    cpuMs: (cpuMs + databaseMs) / requests,
    p50Ms: median(latencies),
    p99Ms: quantile(latencies, 0.99),
    bodyBytes,
    status,
  };
}

function middleOf(standings: readonly Standing[]): Standing {
  const middle = (key: keyof Standing) => median(standings.map((standing) => standing[key]));
  return {
    perSecond: middle('perSecond'),
    perCpuSecond: middle('perCpuSecond'),
    cpuMs: middle('cpuMs'),
    p50Ms: middle('p50Ms'),
    p99Ms: middle('p99Ms'),
    bodyBytes: middle('bodyBytes'),
    status: middle('status'),
  };
}
