import type { Metric } from 'prom-client';
import * as airdrops from '../../db/airdrop/airdrops.ts';
import { createReadGauge } from '../../observe/read-gauge.ts';
import type { Shared } from '../shared.ts';

export function createAirdropMeters({ db, logger }: Pick<Shared, 'db' | 'logger'>): readonly Metric[] {
  const open = createReadGauge(logger, {
    name: 'slipway_airdrops_open',
    help: 'Airdrops of final launches that are not delivered',
    read: () => airdrops.backlog(db),
  });
  return [open];
}
