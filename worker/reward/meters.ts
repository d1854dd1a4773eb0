import type { Metric } from 'prom-client';
import * as rewardRounds from '../../db/reward/reward-rounds.ts';
import { createReadGauge } from '../../observe/read-gauge.ts';
import type { Shared } from '../shared.ts';

export function createRewardMeters({ db, now, logger }: Pick<Shared, 'db' | 'now' | 'logger'>): readonly Metric[] {
  const open = createReadGauge(logger, {
    name: 'slipway_reward_rounds_open',
    help: 'Reward rounds that have not ended',
    read: async () => (await rewardRounds.backlog(db)).open,
  });
  const age = createReadGauge(logger, {
    name: 'slipway_reward_oldest_open_round_seconds',
    help: 'Age of the oldest reward round that has not ended; 0 where all have',
    read: async () => {
      const { oldest } = await rewardRounds.backlog(db);
      return oldest ? (now().getTime() - oldest.getTime()) / 1_000 : 0;
    },
  });
  const failing = createReadGauge(logger, {
    name: 'slipway_reward_rounds_failing',
    help: 'Open reward rounds whose last step failed',
    read: async () => (await rewardRounds.open(db)).filter(({ problem }) => problem !== null).length,
  });
  return [open, age, failing];
}
