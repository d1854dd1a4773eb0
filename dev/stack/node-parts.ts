import { join } from 'node:path';
import { ownHttpHealth, solanaRpcHealth } from './health.ts';
import type { PartSpec } from './part.ts';

const ROOT = join(import.meta.dirname, '../..');

export type EntryPoints = Readonly<Record<'localnet' | 'blockEngine' | 'api' | 'worker', string>>;

export const entryPointsFor = (exchange: 'local' | 'raydium', root = ROOT): EntryPoints => ({
  localnet: join(ROOT, 'dev/localnet/main.ts'),
  blockEngine: join(ROOT, 'dev/block-engine/main.ts'),
  api: join(root, exchange === 'local' ? 'dev/local/api-main.ts' : 'api/main.ts'),
  worker: join(root, exchange === 'local' ? 'dev/local/worker-main.ts' : 'worker/main.ts'),
});

export type BlockEngineOptions = {
  readonly port: number;
  readonly adminPort: number;
  readonly rpcUrl: string;
  readonly env: Readonly<Record<string, string>>;
};

export type LocalnetOptions = {
  readonly port: number;
  /** 0: no stream. */
  readonly streamPort: number;
  readonly stateDirectory: string;
  readonly programsDirectory: string | undefined;
  readonly env: Readonly<Record<string, string>>;
};

type NodePart = Pick<PartSpec, 'name' | 'address' | 'ports' | 'health' | 'stopStage'> & {
  readonly program: string;
  readonly args?: readonly string[];
  readonly env: Readonly<Record<string, string>>;
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

/** Describes the API, which stops first: no request meets a missing part. */
export function apiPart(program: string, port: number, env: Readonly<Record<string, string>>): PartSpec {
  const address = `http://127.0.0.1:${port}`;
  const ports = [port, Number(env['API_METRICS_PORT'] ?? 0)].filter((each) => each > 0);
  const health = ownHttpHealth(`${address}/readyz`);
  return nodePart({ name: 'api', program, env, address, ports, health, stopStage: 1 });
}

export function workerPart(program: string, port: number, env: Readonly<Record<string, string>>): PartSpec {
  const address = `http://127.0.0.1:${port}`;
  const health = ownHttpHealth(`${address}/readyz`);
  return nodePart({ name: 'worker', program, env, address, ports: [port], health, stopStage: 2, stopWithinMs: 20_000 });
}

/** Faults by HTTP, on a port that opens after gRPC's. */
export function blockEnginePart(program: string, { port, adminPort, rpcUrl, env }: BlockEngineOptions): PartSpec {
  const args = ['--port', String(port), '--admin-port', String(adminPort), '--rpc-url', rpcUrl];
  const health = ownHttpHealth(`http://127.0.0.1:${adminPort}/health`);
  const [address, ports] = [`127.0.0.1:${port}`, [port, adminPort]];
  return nodePart({ name: 'block-engine', program, args, env, address, ports, health, stopStage: 3 });
}

/** The websocket uses the next port. `streamPort` 0: no stream. */
export function localnetPart(
  program: string,
  { port, streamPort, stateDirectory, programsDirectory, env }: LocalnetOptions,
): PartSpec {
  const args = ['--port', String(port), '--data-dir', stateDirectory];
  if (streamPort > 0) args.push('--stream-port', String(streamPort));
  if (programsDirectory !== undefined) args.push('--programs-dir', programsDirectory);
  const address = `http://127.0.0.1:${port}`;
  const ports = [port, port + 1, ...(streamPort > 0 ? [streamPort] : [])];
  const health = solanaRpcHealth(address);
  return nodePart({ name: 'localnet', program, args, env, address, ports, health, stopStage: 4 });
}
