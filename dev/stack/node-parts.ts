import { join } from 'node:path';
import { httpHealth, solanaRpcHealth, tcpHealth } from './health.ts';
import type { PartSpec } from './part.ts';

const ROOT = join(import.meta.dirname, '../..');

/** The programs behind the parts that are ours; tests put stand-ins in their place. */
export type EntryPoints = Readonly<Record<'localnet' | 'blockEngine' | 'api' | 'worker', string>>;

/** The real programs. */
export const ENTRY_POINTS: EntryPoints = {
  localnet: join(ROOT, 'dev/localnet/main.ts'),
  blockEngine: join(ROOT, 'dev/block-engine/main.ts'),
  api: join(ROOT, 'api/main.ts'),
  worker: join(ROOT, 'worker/main.ts'),
};

/** Where the local block engine listens and which chain it forwards to. */
export type BlockEngineOptions = {
  readonly port: number;
  readonly adminPort: number;
  readonly rpcUrl: string;
  readonly env: Readonly<Record<string, string>>;
};

/** Where the local chain listens and keeps its state. */
export type LocalnetOptions = {
  readonly port: number;
  /** Port of the stream; 0: none is served. */
  readonly streamPort: number;
  readonly stateDirectory: string;
  /** Folder of the real programs to deploy, where there is one. */
  readonly programsDirectory: string | undefined;
  readonly env: Readonly<Record<string, string>>;
};

type NodePart = Pick<PartSpec, 'name' | 'address' | 'health' | 'stopStage'> & {
  readonly program: string;
  readonly args?: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Work in flight may need this long at the end. */
  readonly stopWithinMs?: number;
};

function nodePart({ program, args = [], stopWithinMs = 5_000, ...rest }: NodePart): PartSpec {
  return {
    ...rest,
    command: process.execPath,
    args: [program, ...args],
    cwd: ROOT,
    readyWithinMs: 60_000,
    stopSignal: 'SIGTERM',
    stopWithinMs,
  };
}

/** The API: first to stop, so that no request meets a missing part. */
export function apiPart(program: string, port: number, env: Readonly<Record<string, string>>): PartSpec {
  const address = `http://127.0.0.1:${port}`;
  return nodePart({ name: 'api', program, env, address, health: httpHealth(`${address}/readyz`), stopStage: 1 });
}

/** The worker; it may finish activities that are under way. */
export function workerPart(program: string, port: number, env: Readonly<Record<string, string>>): PartSpec {
  const address = `http://127.0.0.1:${port}`;
  const health = httpHealth(`${address}/readyz`);
  return nodePart({ name: 'worker', program, env, address, health, stopStage: 2, stopWithinMs: 20_000 });
}

/** The local block engine: gRPC without encryption, and an HTTP port on which its faults are switched. */
export function blockEnginePart(program: string, { port, adminPort, rpcUrl, env }: BlockEngineOptions): PartSpec {
  const args = ['--port', String(port), '--admin-port', String(adminPort), '--rpc-url', rpcUrl];
  const health = tcpHealth('127.0.0.1', port);
  return nodePart({ name: 'block-engine', program, args, env, address: `127.0.0.1:${port}`, health, stopStage: 3 });
}

/** The local chain: JSON-RPC on `port`, its websocket also on the next port; no stream where its port is 0. */
export function localnetPart(
  program: string,
  { port, streamPort, stateDirectory, programsDirectory, env }: LocalnetOptions,
): PartSpec {
  const args = ['--port', String(port), '--data-dir', stateDirectory];
  if (streamPort > 0) args.push('--stream-port', String(streamPort));
  if (programsDirectory !== undefined) args.push('--programs-dir', programsDirectory);
  const address = `http://127.0.0.1:${port}`;
  return nodePart({ name: 'localnet', program, args, env, address, health: solanaRpcHealth(address), stopStage: 4 });
}
