import { pino } from 'pino';
import type { ExchangeAdapter } from '../chain/exchange/exchange-adapter.ts';
import type { WorkerConfig } from '../config/worker.ts';
import { runWorker } from './worker.ts';

/** Runs the worker until SIGTERM or SIGINT; sets exit code 1 on failure. */
export async function runWorkerProcess(config: WorkerConfig, exchange: ExchangeAdapter): Promise<void> {
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
    if (stop.signal.aborted && error === stop.signal.reason) logger.info('stopped while starting');
    else {
      logger.fatal({ err: error }, 'the worker ended');
      process.exitCode = 1;
    }
  }
  // Library connections must not keep the process alive.
  logger.flush(() => process.exit());
}
