import type { Logger as TemporalLogger, LogLevel, LogMetadata } from '@temporalio/common';
import type { Logger } from 'pino';

const PINO_LEVEL = {
  TRACE: 'trace',
  DEBUG: 'debug',
  INFO: 'info',
  WARN: 'warn',
  ERROR: 'error',
} as const satisfies Record<LogLevel, string>;

/**
 * Lets everything the Temporal SDK says (worker, workflows, activities, native core) come out of the process's own logger,
 * one JSON line each, with the SDK's metadata as fields. An `error` in the metadata becomes pino's `err`, with its stack.
 */
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

/** The same logger without INFO, unless debugging: the bundler prints its whole module list at that level. */
export function quietTemporalLogger(logger: Logger): TemporalLogger {
  return temporalLogger(logger.child({}, { level: logger.isLevelEnabled('debug') ? 'debug' : 'warn' }));
}
