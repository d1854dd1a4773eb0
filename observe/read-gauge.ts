import { Gauge, type Metric } from 'prom-client';
import { within } from '../domain/within.ts';

/** One series, and how it stands. */
export interface Reading<Label extends string> {
  readonly labels: Readonly<Record<Label, string>>;
  readonly value: number;
}

/** What is read at every scrape. */
export interface ReadGauge<Label extends string> {
  readonly name: string;
  readonly help: string;
  readonly labelNames?: readonly Label[];
  /** Its series; of a gauge without labels, its value. */
  readonly read: () => Promise<number | readonly Reading<Label>[]>;
}

/** Where is noted what could not be read. */
export interface ReadLog {
  warn(fields: { readonly err: unknown; readonly metric: string }, message: string): void;
}

/** Longest wait of the page for what is asked, in ms: Prometheus gives up after ten seconds, and knows nothing then. */
const PATIENCE_MS = 4_000;

/** A gauge that asks when the page is read. What hangs or fails is left out: everything else on the page is wanted then above all. */
export function createReadGauge<Label extends string = never>(
  logger: ReadLog,
  { name, help, labelNames = [], read }: ReadGauge<Label>,
): Metric {
  return new Gauge<Label>({
    name,
    help,
    labelNames,
    registers: [],
    async collect() {
      // Without labels a reset leaves a zero.
      if (labelNames.length === 0) this.remove();
      else this.reset();
      try {
        const found = await within(PATIENCE_MS, read());
        if (typeof found === 'number') this.set(found);
        else for (const { labels, value } of found) this.set({ ...labels }, value);
      } catch (error) {
        logger.warn({ err: error, metric: name }, 'a figure of the metrics page could not be read');
      }
    },
  });
}
