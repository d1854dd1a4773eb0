import { Gauge, type Metric } from 'prom-client';
import { oldestOpenClaims } from '../../db/claim/claim-counts.ts';
import type { Shared } from '../shared.ts';

/** What Prometheus reads of claims; asked at every scrape. */
export function createClaimMeters({ db, now }: Pick<Shared, 'db' | 'now'>): readonly Metric[] {
  const oldest = new Gauge({
    name: 'slipway_claim_oldest_seconds',
    help: 'For how long the claim has stood in a state that stands there longest; 0 where none does',
    labelNames: ['state'],
    registers: [],
    async collect() {
      for (const [state, since] of await oldestOpenClaims(db)) {
        this.set({ state }, since === null ? 0 : (now().getTime() - since.getTime()) / 1_000);
      }
    },
  });
  return [oldest];
}
