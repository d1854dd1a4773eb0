import type { Metric } from 'prom-client';
import type { Worker } from '@temporalio/worker';
import { connectionChecks, type Connections } from './connections.ts';
import type { HealthServerDeps } from '../observe/health-server.ts';
import { createMetrics } from './metrics.ts';
import { readinessOf, type ReadyCheck } from '../observe/readiness.ts';
import { isPolling } from './task-queues.ts';

export interface RunningParts {
  readonly connections: Connections;
  readonly workers: readonly Worker[];
  readonly namespace: string;
  readonly meters: readonly Metric[];
  readonly metricsAddress: string;
}

export interface Probe extends Pick<HealthServerDeps, 'readiness' | 'metrics'> {
  /** Notes what the start waits for, and why. */
  waiting(problem: string): void;
  running(parts: RunningParts): void;
}

/** Creates a probe that is not ready after `signal`. */
export function createProbe(signal: AbortSignal): Probe {
  let checks: Record<string, ReadyCheck> = notReady('starting');
  let metrics = async (): Promise<string> => '# the worker is starting\n';
  return {
    readiness: () => readinessOf(signal.aborted ? notReady('stopping') : checks),
    metrics: () => metrics(),
    waiting(problem) {
      checks = notReady(`starting, waits for ${problem}`);
    },
    running(parts) {
      checks = { ...connectionChecks(parts.connections, parts.namespace), ...pollerChecks(parts.workers) };
      metrics = createMetrics({
        meters: parts.meters,
        temporalMetricsUrl: `http://${parts.metricsAddress}/metrics`,
      });
    },
  };
}

function notReady(reason: string): Record<string, ReadyCheck> {
  return { worker: () => Promise.reject(new Error(reason)) };
}

function pollerChecks(workers: readonly Worker[]): Record<string, ReadyCheck> {
  const checkOf = (worker: Worker) => async (): Promise<void> => {
    if (!isPolling(worker)) throw new Error(`task queue ${worker.options.taskQueue} is not polled`);
  };
  return Object.fromEntries(workers.map((worker) => [`poller:${worker.options.taskQueue}`, checkOf(worker)]));
}
