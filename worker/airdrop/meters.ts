import { Gauge, type Metric } from 'prom-client';
import * as airdrops from '../../db/airdrop/airdrops.ts';
import type { Shared } from '../shared.ts';

/** What Prometheus reads of airdrops; asked at every scrape. */
export function createAirdropMeters({ db }: Pick<Shared, 'db'>): readonly Metric[] {
  const open = new Gauge({
    name: 'slipway_airdrops_open',
    help: 'Airdrops of final launches that are not delivered',
    registers: [],
    async collect() {
      this.set((await airdrops.backlog(db)).open);
    },
  });
  const oldest = new Gauge({
    name: 'slipway_airdrop_oldest_timestamp_seconds',
    help: 'When the launch was recorded whose airdrop is open for longest; 0 where none is open',
    registers: [],
    async collect() {
      const { oldestAt } = await airdrops.backlog(db);
      this.set(oldestAt === null ? 0 : Math.floor(oldestAt.getTime() / 1_000));
    },
  });
  return [open, oldest];
}
