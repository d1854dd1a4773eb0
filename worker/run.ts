import type { Worker } from '@temporalio/worker';
import type { Logger } from 'pino';

export interface Running {
  readonly workers: readonly Worker[];
  /** Each ends soon after its signal. */
  readonly loops: readonly ((signal: AbortSignal) => Promise<void>)[];
  readonly logger: Logger;
}

/**
 * Runs until `signal`, then running activities finish (`shutdownGraceMs`). If one part ends by itself, all are stopped
 * and the failure thrown: half a worker would look alive.
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
  if (!signal.aborted) throw new Error('a part of the worker ended without being asked to');
  logger.info('all pollers and loops have ended');
}

function shutDown(worker: Worker): void {
  // A stopping worker refuses a second request.
  if (worker.getState() === 'RUNNING') worker.shutdown();
}
