import { createServer, type Server } from 'node:net';
import Type, { type Static } from 'typebox';
import { readJson, writePrivateJson } from './private-file.ts';
import { isSystemError } from './process-table.ts';

/** Ports below outgoing connections: no client occupies a restarting part's port. */
const FIRST = 20_000;
const COUNT = 12_000;

/** A process takes its ports from slices of its own, so two stacks that start in the same second never choose the same port. */
const SLICE = 100;

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

/** Returns the listening server, or undefined where another program has the port. */
function listenOn(port: number): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', (error) => {
      if (isSystemError(error, 'EADDRINUSE', 'EACCES')) resolve(undefined);
      else reject(error);
    });
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      resolve(server);
    });
  });
}

export async function isFree(port: number): Promise<boolean> {
  const server = await listenOn(port);
  if (server === undefined) return false;
  await new Promise((resolve) => server.close(resolve));
  return true;
}

/**
 * Claims a slice for the life of this process: its first port stays open, which no second process can open. Returns the others.
 *
 * @throws if other processes have all slices
 */
async function claimSlice(): Promise<number[]> {
  const slices = COUNT / SLICE;
  const start = Math.floor(Math.random() * slices);
  for (let tried = 0; tried < slices; tried += 1) {
    const first = FIRST + ((start + tried) % slices) * SLICE;
    const claim = await listenOn(first);
    if (claim === undefined) continue;
    claim.unref();
    return Array.from({ length: SLICE - 1 }, (_, index) => first + 1 + index);
  }
  throw new Error(`no free port between ${FIRST} and ${FIRST + COUNT}: other processes have all ${slices} slices`);
}

/** The ports of this process that were not handed out. */
let unused: number[] = [];

/**
 * Returns a free port of this process, each at most once.
 *
 * @param count consecutive ports, of which it returns the first
 * @throws if no slice is left
 */
export async function freePort(count = 1): Promise<number> {
  for (;;) {
    const [first, ...others] = unused.splice(0, count);
    if (first === undefined || others.length < count - 1) unused = await claimSlice();
    else if ((await Promise.all([first, ...others].map(isFree))).every(Boolean)) return first;
  }
}

const PREFERRED_API_PORT = 8_080;

async function apiPort(wanted: number | undefined): Promise<number> {
  if (wanted === undefined) return (await isFree(PREFERRED_API_PORT)) ? PREFERRED_API_PORT : freePort();
  if (wanted === 0) return freePort();
  if (!(await isFree(wanted))) throw new Error(`port ${wanted} (PORT) is taken on 127.0.0.1`);
  return wanted;
}

async function draw(wantedApiPort: number | undefined): Promise<StackPorts> {
  const rpc = await freePort(2);
  return {
    api: await apiPort(wantedApiPort),
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
