import type { Metric } from 'prom-client';
import { createReadGauge, type ReadGauge } from '../observe/read-gauge.ts';
import { seldom } from './seldom.ts';
import type { Shared } from './shared.ts';

/** How old an answer of the chain on the page may be, and how long the page waits for one. */
const LOOKS = { everyMs: 60_000, patienceMs: 2_000 } as const;

/** A gauge that costs the chain a look a minute however often the page is read. An endpoint that is away leaves its series out. */
export function createSeldomGauge<Label extends string>(
  { logger }: Pick<Shared, 'logger'>,
  gauge: ReadGauge<Label>,
): Metric {
  return createReadGauge(logger, { ...gauge, read: seldom(LOOKS, gauge.read) });
}
