import type { Metric } from 'prom-client';
import type { TimeMetric } from '../domain/alarms/condition.ts';
import { createReadGauge, type ReadLog } from './read-gauge.ts';

interface TimeGauge {
  readonly name: TimeMetric;
  readonly help: string;
  /** Null before the first time. */
  readonly read: () => Promise<Date | null>;
}

/** Creates a gauge of when something happened last. It has no series before the first time: a zero reads as 1970. */
export function createTimeGauge(logger: ReadLog, { name, help, read }: TimeGauge): Metric {
  return createReadGauge(logger, {
    name,
    help: `${help}. Absent before the first time`,
    read: async () => {
      const at = await read();
      return at === null ? [] : [{ labels: {}, value: Math.floor(at.getTime() / 1_000) }];
    },
  });
}
