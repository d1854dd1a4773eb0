import { createServer } from 'node:net';
import Type, { type Static } from 'typebox';
import { readJson, writePrivateJson } from './private-file.ts';
import { isSystemError } from './process-table.ts';

/**
 * Ports are drawn below the range from which systems number outgoing connections (32768 on Linux, 49152 elsewhere): a part
 * that is restarted must find its port free, and a client's own connection could otherwise sit on it.
 */
const FIRST = 20_000;
const COUNT = 12_000;
const ATTEMPTS = 200;

const StackPortsSchema = Type.Object({
  api: Type.Integer(),
  /** 0, where a kept file names none: the API takes a free one. */
  apiMetrics: Type.Integer({ default: 0 }),
  worker: Type.Integer(),
  postgres: Type.Integer(),
  temporal: Type.Integer(),
  temporalUi: Type.Integer(),
  temporalHttp: Type.Integer(),
  temporalMetrics: Type.Integer(),
  rpc: Type.Integer(),
  /** The next one after `rpc`, as clients expect that are given no websocket address. */
  ws: Type.Integer(),
  /** 0, where a kept file names none: the chain serves no stream. */
  stream: Type.Integer({ default: 0 }),
  blockEngine: Type.Integer(),
  blockEngineAdmin: Type.Integer(),
});

/** The loopback ports of the stack's parts; a part keeps its port when it is restarted. */
export type StackPorts = Static<typeof StackPortsSchema>;

/** Whether a server could listen on this loopback port now. */
export function isFree(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error) => {
      if (isSystemError(error, 'EADDRINUSE', 'EACCES')) resolve(false);
      else reject(error);
    });
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      server.close(() => {
        resolve(true);
      });
    });
  });
}

/**
 * Hands out loopback ports that were free when asked, each at most once, so that parts started side by side do not collide.
 * With a count, that many in a row are free and the first is answered.
 * @throws when 200 draws in a row found none.
 */
export function createPortAllocator(draw: () => number = Math.random): (count?: number) => Promise<number> {
  const taken = new Set<number>();
  return async (count = 1) => {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const first = FIRST + Math.floor(draw() * COUNT);
      const ports = Array.from({ length: count }, (_, index) => first + index);
      if (ports.some((port) => taken.has(port))) continue;
      for (const port of ports) taken.add(port);
      if ((await Promise.all(ports.map(isFree))).every(Boolean)) return first;
    }
    throw new Error(`no free port among ${ATTEMPTS} tried between ${FIRST} and ${FIRST + COUNT}`);
  };
}

const PREFERRED_API_PORT = 8_080;

async function apiPort(wanted: number | undefined, freePort: () => Promise<number>): Promise<number> {
  if (wanted === undefined) return (await isFree(PREFERRED_API_PORT)) ? PREFERRED_API_PORT : freePort();
  if (wanted === 0) return freePort();
  if (!(await isFree(wanted))) throw new Error(`port ${wanted} (PORT) is taken on 127.0.0.1`);
  return wanted;
}

async function draw(wantedApiPort: number | undefined): Promise<StackPorts> {
  const freePort = createPortAllocator();
  const rpc = await freePort(2);
  return {
    api: await apiPort(wantedApiPort, freePort),
    apiMetrics: await freePort(),
    worker: await freePort(),
    postgres: await freePort(),
    temporal: await freePort(),
    temporalUi: await freePort(),
    temporalHttp: await freePort(),
    temporalMetrics: await freePort(),
    rpc,
    ws: rpc + 1,
    stream: await freePort(),
    blockEngine: await freePort(),
    blockEngineAdmin: await freePort(),
  };
}

/** The ports a stack wrote to its file; `undefined` if there is none. @throws when the file is something else. */
export function readPorts(file: string): StackPorts | undefined {
  return readJson(file, StackPortsSchema);
}

/**
 * The stack's ports: those in the file (kept state holds addresses with them) if all are still free and `wantedApiPort` does
 * not ask for another, else fresh ones that are written to it.
 * @throws when the wanted API port is taken.
 */
export async function choosePorts(file: string, wantedApiPort: number | undefined): Promise<StackPorts> {
  const kept = readPorts(file);
  const isWanted = kept !== undefined && (!wantedApiPort || wantedApiPort === kept.api);
  if (isWanted && (await Promise.all(Object.values(kept).map(isFree))).every(Boolean)) return kept;
  const ports = await draw(wantedApiPort);
  writePrivateJson(file, ports);
  return ports;
}
