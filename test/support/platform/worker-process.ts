import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { freePort } from '../../../dev/stack/ports.ts';
import { eventually } from './eventually.ts';
import type { Platform } from './platform.ts';

const MAIN = join(import.meta.dirname, '../../../dev/local/worker-main.ts');

/** The real worker in a process of its own, which can be killed without warning. */
export interface WorkerProcess {
  /** `kill -9`, and waits until it is gone; a repeat does nothing. */
  kill(): Promise<void>;
}

/** Starts the worker process of a platform and waits until it polls. Throws with its log when it ends instead. */
export async function startWorkerProcess({ variables }: Platform): Promise<WorkerProcess> {
  const port = await freePort();
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE, ...variables, WORKER_PORT: String(port) };
  const child = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (log += text.toString()));
  await eventually(async () => {
    if (child.exitCode !== null) throw new Error(`the worker ended with ${child.exitCode}: ${log}`);
    return (await isReady(port)) || null;
  }, 'a ready worker process');
  return { kill: () => kill(child) };
}

async function isReady(port: number): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/readyz`)).ok;
  } catch {
    return false; // not listening yet
  }
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}
