import type { Metric } from 'prom-client';
import * as findings from '../../db/money/findings.ts';
import { FINDING_KINDS } from '../../domain/money/finding.ts';
import { createReadGauge } from '../../observe/read-gauge.ts';
import { createTimeGauge } from '../../observe/time-gauge.ts';
import type { Shared } from '../shared.ts';

export function createFindingMeters({ db, logger }: Pick<Shared, 'db' | 'logger'>): readonly Metric[] {
  const found = createReadGauge(logger, {
    name: 'slipway_books_findings',
    help: 'Differences between the books and the chain as of the last comparison, by kind',
    labelNames: ['kind'],
    read: async () => {
      const standing = await findings.all(db);
      return FINDING_KINDS.map((kind) => ({
        labels: { kind },
        value: standing.filter((one) => one.kind === kind).length,
      }));
    },
  });
  const checked = createTimeGauge(logger, {
    name: 'slipway_books_last_check_timestamp_seconds',
    help: 'When the books and the chain were last compared',
    read: () => findings.lastCheckAt(db),
  });
  return [found, checked];
}
