import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { availableParallelism, platform } from 'node:os';
import { join } from 'node:path';
import Type from 'typebox';
import { Value } from 'typebox/value';

export interface ServerProcess {
  readonly port: number;
  /** Used CPU time, ms. */
  cpuMs(): Promise<number>;
  /** Resident memory after its garbage was collected, bytes. */
  memoryBytes(): Promise<number>;
  stop(): Promise<void>;
}

const ReadyShape = Type.Object({ port: Type.Integer() });
const UsageShape = Type.Object({ cpuMs: Type.Number(), memoryBytes: Type.Number() });

export async function startServer(name: string, databaseUrl: string): Promise<ServerProcess> {
  const file = join(import.meta.dirname, 'servers', `${name}.ts`);
  const pin = platform() === 'linux' && availableParallelism() > 1 ? ['taskset', '-c', '1'] : [];
  const [command = '', ...args] = [...pin, process.execPath, '--expose-gc', file, databaseUrl];
  const child = spawn(command, args, {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  const { port } = Value.Parse(ReadyShape, await messageOf(child));
  return {
    port,
    cpuMs: async () => (await usageOf(child, 'cpu')).cpuMs,
    memoryBytes: async () => (await usageOf(child, 'memory')).memoryBytes,
    stop: async () => {
      const exited = once(child, 'exit');
      child.disconnect();
      await exited;
    },
  };
}

async function usageOf(child: ChildProcess, asked: 'cpu' | 'memory') {
  child.send(asked);
  return Value.Parse(UsageShape, await messageOf(child));
}

function messageOf(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null) => {
      reject(new Error(`a server ended with status ${code}`));
    };
    child.once('exit', onExit);
    child.once('message', (message) => {
      child.off('exit', onExit);
      resolve(message);
    });
  });
}

export function serveParent(address: AddressInfo | string | null | undefined): void {
  if (typeof address !== 'object' || !address) throw new Error('the server does not listen on a port');
  process.on('message', (asked) => {
    if (asked === 'memory') globalThis.gc?.();
    const { user, system } = process.cpuUsage();
    process.send?.({ cpuMs: (user + system) / 1_000, memoryBytes: process.memoryUsage.rss() });
  });
  process.on('disconnect', () => process.exit(0));
  process.send?.({ port: address.port });
}
