import { Runtime } from '@temporalio/worker';
import type { Logger } from 'pino';
import { temporalLogger } from './logger.ts';

export interface RuntimeSettings {
  readonly logger: Logger;
  /** Loopback, native metrics. */
  readonly metricsAddress: string;
}

/** Process-wide, without signal handlers: `runUntilStopped` ends the parts in order. */
export function installTemporalRuntime({ logger, metricsAddress }: RuntimeSettings): Runtime {
  return Runtime.install({
    logger: temporalLogger(logger),
    shutdownSignals: [],
    telemetryOptions: {
      logging: { filter: { core: 'WARN', other: 'ERROR' }, forward: {} },
      metrics: { prometheus: { bindAddress: metricsAddress, countersTotalSuffix: true, useSecondsForDurations: true } },
    },
  });
}
