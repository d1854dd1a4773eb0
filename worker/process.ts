import { pino } from 'pino';
import type { ExchangeAdapter } from '../chain/exchange/exchange-adapter.ts';
import { ConfigError } from '../config/environment.ts';
import type { WorkerConfig } from '../config/worker.ts';
import { runWorker } from './worker.ts';

export interface WorkerParts {
  readonly config: WorkerConfig;
  readonly exchange: ExchangeAdapter;
}

/** Runs the worker until SIGTERM or SIGINT. On failure it ends the process with 1; settings that are wrong are lines of text, no log. */
export async function runWorkerProcess(read: () => WorkerParts): Promise<void> {
  try {
    await runUntilSignal(read());
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`worker: ${error.message}\n`);
    process.exit(1);
  }
}

async function runUntilSignal({ config, exchange }: WorkerParts): Promise<void> {
  const logger = pino({ level: config.logLevel, base: { process: 'worker' } });
  const stop = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      logger.info({ signal }, 'stopping: running activities may finish');
      stop.abort(new Error(`stopped by ${signal}`));
    });
  }
  try {
    await runWorker({ config, logger, exchange }, stop.signal);
    logger.info('stopped');
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    if (stop.signal.aborted && error === stop.signal.reason) logger.info('stopped while starting');
    else {
      logger.fatal({ err: error }, 'the worker ended');
      process.exitCode = 1;
    }
  }
  // Library connections must not keep the process alive.
  logger.flush(() => process.exit());
}
