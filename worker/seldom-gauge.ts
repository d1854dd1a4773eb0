import type { Metric } from 'prom-client';
import { createReadGauge, type ReadGauge } from '../observe/read-gauge.ts';
import { seldom } from './seldom.ts';
import type { Shared } from './shared.ts';

/** Interval of reading a chain value for the page, and its timeout. */
const LOOKS = { everyMs: 60_000, patienceMs: 2_000 } as const;

/** Creates a gauge with at most one chain read a minute; it has no series without a response. */
export function createSeldomGauge<Label extends string>(
  { logger }: Pick<Shared, 'logger'>,
  gauge: ReadGauge<Label>,
): Metric {
  return createReadGauge(logger, { ...gauge, read: seldom(LOOKS, gauge.read) });
}
