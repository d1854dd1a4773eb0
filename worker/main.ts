import { pino } from 'pino';
import { readWorkerConfig } from '../config/worker.ts';
import { runWorker } from './worker.ts';

const config = readWorkerConfig(process.env);
const logger = pino({ level: config.logLevel, base: { process: 'worker' } });
const stop = new AbortController();
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => {
    logger.info({ signal }, 'stopping: running activities may finish');
    stop.abort(new Error(`stopped by ${signal}`));
  });
}

try {
  await runWorker(config, logger, stop.signal);
  logger.info('stopped');
} catch (error) {
  if (stop.signal.aborted && error === stop.signal.reason) logger.info('stopped while starting');
  else {
    logger.fatal({ err: error }, 'the worker ended');
    process.exitCode = 1;
  }
}
// Connections of libraries must not keep a process alive whose work has ended.
logger.flush(() => process.exit());
