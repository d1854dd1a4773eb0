import { createServer } from 'node:net';
import Type, { type Static } from 'typebox';
import { readJson, writePrivateJson } from './private-file.ts';
import { isSystemError } from './process-table.ts';

/** Ports below outgoing connections: no client occupies a restarting part's port. */
const FIRST = 20_000;
const COUNT = 12_000;
const ATTEMPTS = 200;

const StackPortsSchema = Type.Object({
  api: Type.Integer(),
  /** 0 without one in the file: any. */
  apiMetrics: Type.Integer({ default: 0 }),
  worker: Type.Integer(),
  postgres: Type.Integer(),
  temporal: Type.Integer(),
  temporalUi: Type.Integer(),
  temporalHttp: Type.Integer(),
  temporalMetrics: Type.Integer(),
  rpc: Type.Integer(),
  /** `rpc` + 1, as clients expect. */
  ws: Type.Integer(),
  /** 0: no stream. */
  stream: Type.Integer({ default: 0 }),
  blockEngine: Type.Integer(),
  blockEngineAdmin: Type.Integer(),
});

export type StackPorts = Static<typeof StackPortsSchema>;

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
 * Each at most once.
 *
 * @param count consecutive; returns the first
 * @throws after 200 failed draws
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

/**
 * Reads the ports; undefined without a file.
 *
 * @throws for an invalid one
 */
export function readPorts(file: string): StackPorts | undefined {
  return readJson(file, StackPortsSchema);
}

/**
 * The file's, which kept state refers to, if free and `wantedApiPort` agrees.
 *
 * @throws if the wanted port is taken
 */
export async function choosePorts(file: string, wantedApiPort: number | undefined): Promise<StackPorts> {
  const kept = readPorts(file);
  const isWanted = kept !== undefined && (!wantedApiPort || wantedApiPort === kept.api);
  if (isWanted && (await Promise.all(Object.values(kept).map(isFree))).every(Boolean)) return kept;
  const ports = await draw(wantedApiPort);
  writePrivateJson(file, ports);
  return ports;
}
