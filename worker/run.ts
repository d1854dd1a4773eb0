import type { Worker } from '@temporalio/worker';
import type { Logger } from 'pino';

/** What runs until the process is asked to end. */
export interface Running {
  readonly workers: readonly Worker[];
  /** Background loops; each ends soon after its signal fires. */
  readonly loops: readonly ((signal: AbortSignal) => Promise<void>)[];
  readonly logger: Logger;
}

/**
 * Runs workers and loops until `signal` fires, then lets running activities finish (see `shutdownGraceMs`). When one of them
 * ends by itself the others are stopped too and the failure is thrown: half a worker would look alive and do nothing.
 */
export async function runUntilStopped({ workers, loops, logger }: Running, signal: AbortSignal): Promise<void> {
  const stop = new AbortController();
  const stopped = AbortSignal.any([signal, stop.signal]);
  stopped.addEventListener('abort', () => workers.forEach(shutDown), { once: true });
  if (stopped.aborted) return;
  const runs = [...workers.map((worker) => worker.run()), ...loops.map((loop) => loop(stopped))];
  const results = await Promise.allSettled(
    runs.map((run) => run.finally(() => stop.abort(new Error('a part of the worker ended')))),
  );
  const failure = results.find((result) => result.status === 'rejected');
  if (failure) throw failure.reason;
  if (!signal.aborted) throw new Error('a part of the worker ended although nobody asked for it');
  logger.info('all pollers and loops have ended');
}

function shutDown(worker: Worker): void {
  // A worker that stops by itself, or already stopped, refuses a second request.
  if (worker.getState() === 'RUNNING') worker.shutdown();
}
