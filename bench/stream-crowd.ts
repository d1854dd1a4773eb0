import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { ownHttpHealth } from '../dev/stack/health.ts';
import { freePort } from '../dev/stack/ports.ts';
import { cpuSecondsOf } from './launch-load/cpu.ts';
import { startRunningProxy } from '../test/support/deploy/running-proxy.ts';
import { wantsJson } from './bench-command.ts';
import { createRig, type Rig } from './launch-latency/rig.ts';
import { type OwnStack, withOwnStack } from './own-stack.ts';
import { printedRows, say } from './printed-rows.ts';
import { median, quantile } from './statistics.ts';
import { type Crowd, openCrowd } from './stream-crowd/crowd.ts';
import { launchFor, readFor, type Reads } from './stream-crowd/short-requests.ts';

// Reads and launches through the proxy of the set-up, beside idle streams and without. Run: node bench/stream-crowd.ts [--json]

const { shown, end } = printedRows(wantsJson('stream-crowd'));

const STREAMS = 1_600;
const NETWORKS = 160;
/** Pairs of windows: one with the streams, one without, in changing order. */
const PAIRS = 5;
const SECONDS = 30;
const READS_PER_SECOND = 100;
const LAUNCHES_PER_MINUTE = 10;
/** Before each window: streams that were opened or closed cost for a moment what idle ones do not. */
const SETTLE_MS = 5_000;

interface Window {
  readonly reads: Reads;
  readonly launches: readonly number[];
  /** Resident memory of each API, bytes. */
  readonly memory: readonly number[];
  /** CPU of both APIs, in cores. */
  readonly cores: number;
  /** Each stream received so many a second. */
  readonly bytes: number;
}

type Pair = Readonly<Record<'with' | 'without', Window>>;

/** The APIs count the clients that the proxy names. */
await withOwnStack(measure, { variables: { TRUST_PROXY: '127.0.0.1' } });

async function measure(own: OwnStack): Promise<void> {
  const { stack } = own;
  const second = await addApi(stack);
  const proxy = await startRunningProxy([stack.siteUrl, second]);
  const apiUrl = stack.apiUrl.replace(stack.siteUrl, `http://127.0.0.1:${proxy.port}`);
  const launches = ((PAIRS + 1) * 2 * SECONDS * LAUNCHES_PER_MINUTE) / 60;
  const rig = await createRig({ ...own, stack: { ...stack, apiUrl } }, launches);
  try {
    const pids = ['api', 'api-2'].map((part) => stack.pidOf(part) ?? 0);
    const pairs: Pair[] = [];
    for (let number = 0; number <= PAIRS; number += 1) pairs.push(await measurePair(rig, proxy.port, pids, number));
    // The first pair warms up.
    end({ bench: 'stream-crowd', ...shown(figuresOf(pairs.slice(1)), textOf) });
  } finally {
    await rig.close();
    proxy.stop();
  }
}

async function addApi(stack: OwnStack['stack']): Promise<string> {
  const spec = stack.specOf('api');
  if (spec === undefined) throw new Error('the stack has no API');
  const ports = [await freePort(), await freePort()];
  const address = `http://127.0.0.1:${ports[0]}`;
  const env = { ...spec.env, PORT: `${ports[0]}`, API_METRICS_PORT: `${ports[1]}` };
  await stack.start({ ...spec, name: 'api-2', address, ports, env, health: ownHttpHealth(`${address}/readyz`) });
  return address;
}

async function measurePair(rig: Rig, port: number, pids: readonly number[], number: number): Promise<Pair> {
  const without = () => measureWindow(rig, port, pids);
  const beside = async () => {
    const crowd = await openCrowd(port, STREAMS, NETWORKS);
    const window = await measureWindow(rig, port, pids, crowd);
    crowd.leave();
    return window;
  };
  const first = number % 2 === 0 ? await without() : undefined;
  const measured = await beside();
  const pair = { with: measured, without: first ?? (await without()) };
  say(`pair ${number}: reads p50 ${ms(pair.without.reads.ms)} without, ${ms(pair.with.reads.ms)} ms beside streams`);
  return pair;
}

async function measureWindow(rig: Rig, port: number, pids: readonly number[], crowd?: Crowd): Promise<Window> {
  await sleep(SETTLE_MS);
  const before = crowd?.bytes() ?? 0;
  const cpu = () => pids.reduce((all, pid) => all + cpuSecondsOf(pid), 0);
  const cpuBefore = cpu();
  const [reads, launches] = await Promise.all([
    readFor(port, SECONDS, READS_PER_SECOND),
    launchFor(rig, SECONDS, LAUNCHES_PER_MINUTE),
  ]);
  const bytes = ((crowd?.bytes() ?? 0) - before) / STREAMS / SECONDS;
  return { reads, launches, memory: pids.map(residentBytes), cores: (cpu() - cpuBefore) / SECONDS, bytes };
}

function ms(values: readonly number[]): string {
  return median(values).toFixed(1);
}

/** Linux only. */
function residentBytes(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1_024;
}

type Side = ReturnType<typeof sideOf>;

function sideOf(windows: readonly Window[]) {
  const [reads, launches] = [windows.flatMap(({ reads: { ms } }) => ms), windows.flatMap((one) => one.launches)];
  return {
    reads: reads.length,
    refused: windows.reduce((sum, one) => sum + one.reads.refused, 0),
    readMs: { p50: median(reads), p95: quantile(reads, 0.95) },
    launches: launches.length,
    launchMs: { p50: median(launches), p95: quantile(launches, 0.95) },
    cores: median(windows.map(({ cores }) => cores)),
    memory: windows[0]?.memory.map((_, api) => median(windows.map(({ memory }) => memory[api] ?? 0))) ?? [],
  };
}

/** Ratios below 1: slower beside the streams, or fewer. */
function figuresOf(pairs: readonly Pair[]) {
  const [beside, without] = [sideOf(pairs.map((pair) => pair.with)), sideOf(pairs.map((pair) => pair.without))];
  const ratio = (of: (window: Window) => number) => median(pairs.map((pair) => of(pair.without) / of(pair.with)));
  return {
    streams: STREAMS,
    networks: NETWORKS,
    beside,
    without,
    answeredRatio: beside.reads / without.reads,
    readRatio: ratio(({ reads }) => median(reads.ms)),
    launchRatio: ratio(({ launches }) => median(launches)),
    bytesPerStream: median(pairs.map((pair) => pair.with.bytes)),
  };
}

function textOf(figures: ReturnType<typeof figuresOf>): string {
  const { streams, networks, beside, without, answeredRatio, readRatio, launchRatio, bytesPerStream } = figures;
  const side = ({ reads, refused, readMs, launches, launchMs, cores, memory }: Side) =>
    `${reads} reads (${refused} refused), p50 ${readMs.p50.toFixed(1)}, p95 ${readMs.p95.toFixed(1)} ms; ` +
    `${launches} launches, p50 ${launchMs.p50.toFixed(0)}, p95 ${launchMs.p95.toFixed(0)} ms; ` +
    `APIs ${cores.toFixed(2)} cores, ${memory.map((bytes) => (bytes / 1e6).toFixed(0)).join(' and ')} MB`;
  return [
    `${streams} idle streams from ${networks} networks over two APIs, ${bytesPerStream.toFixed(1)} bytes a second each`,
    `  beside them: ${side(beside)}`,
    `  without:     ${side(without)}`,
    `  answered reads, times of reads and of launches against without: ${[answeredRatio, readRatio, launchRatio].map((value) => value.toFixed(2)).join(', ')}`,
  ].join('\n');
}
