import { Gauge, type Metric } from 'prom-client';
import * as findings from '../../db/money/findings.ts';
import { FINDING_KINDS } from '../../domain/money/finding.ts';
import type { Shared } from '../shared.ts';

/** What Prometheus reads of the comparison of books and chain; asked at every scrape. */
export function createFindingMeters({ db }: Pick<Shared, 'db'>): readonly Metric[] {
  const found = new Gauge({
    name: 'slipway_books_findings',
    help: 'Differences between the books and the chain as of the last comparison, by kind',
    labelNames: ['kind'],
    registers: [],
    async collect() {
      const standing = await findings.all(db);
      for (const kind of FINDING_KINDS) this.set({ kind }, standing.filter((one) => one.kind === kind).length);
    },
  });
  const checked = new Gauge({
    name: 'slipway_books_last_check_timestamp_seconds',
    help: 'When the books and the chain were last compared; 0 before the first time',
    registers: [],
    async collect() {
      this.set(((await findings.lastCheckAt(db))?.getTime() ?? 0) / 1_000);
    },
  });
  return [found, checked];
}
