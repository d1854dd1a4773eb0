import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { startServer, type ServerProcess } from '../reads/server-process.ts';
import { STREAM_SETTINGS } from '../../api/events/stream-settings.ts';
import { openStream } from './stream-client.ts';

export interface IdleStreams {
  readonly streams: number;
  readonly processes: number;
  /** Resident memory that all streams add, bytes. */
  readonly bytes: number;
  /** Share of one core that all streams add. */
  readonly core: number;
  /** Bytes a second that each stream receives: signs of life. */
  readonly received: number;
}

const SECONDS = 60;
/** A process reads its log once for all streams; without any it does not. */
const WARM_UP_STREAMS = 20;

/** In as many API processes as their limit of streams demands, on a log in which nothing happens. */
export async function measureIdleStreams(databaseUrl: string, streams: number): Promise<IdleStreams> {
  const { inAll } = STREAM_SETTINGS.limits;
  const servers = await Promise.all(
    Array.from({ length: Math.ceil(streams / inAll) }, () => startServer('api', databaseUrl)),
  );
  try {
    for (const server of servers) closeAll(await openMany(server, WARM_UP_STREAMS));
    await sleep(5_000);
    const [idle, before] = [await cpuShare(servers), await memoryOf(servers)];
    const open: Socket[] = [];
    for (const server of servers) open.push(...(await openMany(server, streams / servers.length)));
    await sleep(5_000);
    const [earlier, begun] = [receivedBy(open), performance.now()];
    const core = (await cpuShare(servers)) - idle;
    const received = ((receivedBy(open) - earlier) / open.length / (performance.now() - begun)) * 1_000;
    const bytes = (await memoryOf(servers)) - before;
    const isOpen = open.every((socket) => !socket.destroyed);
    closeAll(open);
    if (!isOpen) throw new Error('a stream was closed while it was measured');
    return { streams: open.length, processes: servers.length, bytes, core, received };
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}

/** One address of the loopback network for every few streams: each may have so many. */
async function openMany({ port }: ServerProcess, streams: number): Promise<Socket[]> {
  const { perClient } = STREAM_SETTINGS.limits;
  const open: Socket[] = [];
  for (let stream = 0; stream < streams; stream++) {
    const address = Math.floor(stream / perClient);
    const localAddress = `127.1.${Math.floor(address / 250)}.${(address % 250) + 1}`;
    open.push(await openStream({ port, localAddress }, () => {}));
  }
  return open;
}

function receivedBy(open: readonly Socket[]): number {
  return sumOf(open.map(({ bytesRead }) => bytesRead));
}

function closeAll(open: readonly Socket[]): void {
  for (const socket of open) socket.removeAllListeners('close').destroy();
}

async function cpuShare(servers: readonly ServerProcess[]): Promise<number> {
  const cpuMs = async () => sumOf(await Promise.all(servers.map((server) => server.cpuMs())));
  const [before, begun] = [await cpuMs(), performance.now()];
  await sleep(SECONDS * 1_000);
  return ((await cpuMs()) - before) / (performance.now() - begun);
}

async function memoryOf(servers: readonly ServerProcess[]): Promise<number> {
  return sumOf(await Promise.all(servers.map((server) => server.memoryBytes())));
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
