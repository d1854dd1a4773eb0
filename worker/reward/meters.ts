import type { Metric } from 'prom-client';
import * as rewardRounds from '../../db/reward/reward-rounds.ts';
import { createReadGauge } from '../../observe/read-gauge.ts';
import type { Shared } from '../shared.ts';

export function createRewardMeters({ db, logger }: Pick<Shared, 'db' | 'logger'>): readonly Metric[] {
  const open = createReadGauge(logger, {
    name: 'slipway_reward_rounds_open',
    help: 'Reward rounds that have not ended',
    read: () => rewardRounds.backlog(db),
  });
  const failing = createReadGauge(logger, {
    name: 'slipway_reward_rounds_failing',
    help: 'Open reward rounds whose last step failed',
    read: async () => (await rewardRounds.open(db)).filter(({ problem }) => problem !== null).length,
  });
  return [open, failing];
}
