import { Gauge, type Metric } from 'prom-client';
import { seldom } from './seldom.ts';
import type { Shared } from './shared.ts';

/** How old an answer of the chain on the page may be, and how long the page waits for one. */
const LOOKS = { everyMs: 60_000, patienceMs: 2_000 } as const;

/** One series, and how it stands. */
export interface Reading<Label extends string> {
  readonly labels: Readonly<Record<Label, string>>;
  readonly value: number;
}

/** What is read of the chain at most once a minute. */
export interface SeldomGauge<Label extends string> {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly Label[];
  readonly read: () => Promise<readonly Reading<Label>[]>;
  /** What the log says where it cannot be read; the series are left out then. */
  readonly failure: string;
}

/** A gauge that costs the chain a look a minute however often the page is read. An endpoint that is away leaves its series out. */
export function createSeldomGauge<Label extends string>(
  { logger }: Pick<Shared, 'logger'>,
  { name, help, labelNames, read, failure }: SeldomGauge<Label>,
): Metric {
  const readings = seldom(LOOKS, read);
  return new Gauge<Label>({
    name,
    help,
    labelNames,
    registers: [],
    async collect() {
      this.reset();
      try {
        for (const { labels, value } of await readings()) this.set({ ...labels }, value);
      } catch (error) {
        logger.warn({ err: error }, failure);
      }
    },
  });
}
