import { Gauge, type Metric } from 'prom-client';
import { within } from '../domain/within.ts';

export interface Reading<Label extends string> {
  readonly labels: Readonly<Record<Label, string>>;
  readonly value: number;
}

export interface ReadGauge<Label extends string> {
  readonly name: string;
  readonly help: string;
  readonly labelNames?: readonly Label[];
  /** One, or one per label set. */
  readonly read: () => Promise<number | readonly Reading<Label>[]>;
}

export interface ReadLog {
  warn(fields: { readonly err: unknown; readonly metric: string }, message: string): void;
}

/** Prometheus gives up the page after ten seconds. */
const PATIENCE_MS = 4_000;

/** Omits a failed reading: the rest matters most then. */
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
