import type { Metric } from 'prom-client';
import * as airdrops from '../../db/airdrop/airdrops.ts';
import { createReadGauge } from '../../observe/read-gauge.ts';
import type { Shared } from '../shared.ts';

export function createAirdropMeters({ db, logger }: Pick<Shared, 'db' | 'logger'>): readonly Metric[] {
  const open = createReadGauge(logger, {
    name: 'slipway_airdrops_open',
    help: 'Airdrops of final launches that are not delivered',
    read: async () => (await airdrops.backlog(db)).open,
  });
  const oldest = createReadGauge(logger, {
    name: 'slipway_airdrop_oldest_timestamp_seconds',
    help: 'When the launch was recorded whose airdrop is open for longest; 0 where none is open',
    read: async () => {
      const { oldestAt } = await airdrops.backlog(db);
      return oldestAt === null ? 0 : Math.floor(oldestAt.getTime() / 1_000);
    },
  });
  return [open, oldest];
}
