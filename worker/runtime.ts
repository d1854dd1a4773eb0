import { Runtime } from '@temporalio/worker';
import type { Logger } from 'pino';
import { temporalLogger } from './logger.ts';

/** What the Temporal runtime of this process needs to know. */
export interface RuntimeSettings {
  readonly logger: Logger;
  /** Loopback address `host:port` on which the native core offers its Prometheus metrics. */
  readonly metricsAddress: string;
}

/**
 * Installs the process-wide Temporal runtime. It takes no signals: the process ends its parts in its own order (see
 * `shutdown` in main.ts), whereas the SDK would stop the workers first and leave the readiness probe green.
 */
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
