import type { Logger as TemporalLogger, LogLevel, LogMetadata } from '@temporalio/common';
import type { Logger } from 'pino';

const PINO_LEVEL = {
  TRACE: 'trace',
  DEBUG: 'debug',
  INFO: 'info',
  WARN: 'warn',
  ERROR: 'error',
} as const satisfies Record<LogLevel, string>;

/** Writes log lines of the whole SDK as JSON, metadata as fields. An `error` becomes pino's `err`. */
export function temporalLogger(logger: Logger): TemporalLogger {
  const log = (level: LogLevel, message: string, meta: LogMetadata = {}): void => {
    const { error, ...fields } = meta;
    logger[PINO_LEVEL[level]](error === undefined ? fields : { ...fields, err: error }, message);
  };
  return {
    log,
    trace: (message, meta) => log('TRACE', message, meta),
    debug: (message, meta) => log('DEBUG', message, meta),
    info: (message, meta) => log('INFO', message, meta),
    warn: (message, meta) => log('WARN', message, meta),
    error: (message, meta) => log('ERROR', message, meta),
  };
}

/** Logs no INFO unless debugging: the bundler prints its module list. */
export function quietTemporalLogger(logger: Logger): TemporalLogger {
  return temporalLogger(logger.child({}, { level: logger.isLevelEnabled('debug') ? 'debug' : 'warn' }));
}
