import type { Metric } from 'prom-client';
import { oldestOpenClaims } from '../../db/claim/claim-counts.ts';
import { createReadGauge } from '../../observe/read-gauge.ts';
import type { Shared } from '../shared.ts';

export function createClaimMeters({ db, now, logger }: Pick<Shared, 'db' | 'now' | 'logger'>): readonly Metric[] {
  const oldest = createReadGauge(logger, {
    name: 'slipway_claim_oldest_seconds',
    help: 'For how long the claim has stood in a state that stands there longest; 0 where none does',
    labelNames: ['state'],
    read: async () =>
      [...(await oldestOpenClaims(db))].map(([state, since]) => ({
        labels: { state },
        value: since === null ? 0 : (now().getTime() - since.getTime()) / 1_000,
      })),
  });
  return [oldest];
}
