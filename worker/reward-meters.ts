import { Gauge, type Metric } from 'prom-client';
import type { Db } from '../db/connect.ts';
import * as rewardRounds from '../db/reward/reward-rounds.ts';

/** What Prometheus reads of reward rounds; asked at every scrape. */
export function createRewardMeters(db: Db, now: () => Date): readonly Metric[] {
  const open = new Gauge({
    name: 'slipway_reward_rounds_open',
    help: 'Reward rounds that have not ended',
    registers: [],
    async collect() {
      this.set((await rewardRounds.backlog(db)).open);
    },
  });
  const age = new Gauge({
    name: 'slipway_reward_oldest_open_round_seconds',
    help: 'Age of the oldest reward round that has not ended; 0 where all have',
    registers: [],
    async collect() {
      const { oldest } = await rewardRounds.backlog(db);
      this.set(oldest ? (now().getTime() - oldest.getTime()) / 1_000 : 0);
    },
  });
  const failing = new Gauge({
    name: 'slipway_reward_rounds_failing',
    help: 'Open reward rounds whose last step failed',
    registers: [],
    async collect() {
      this.set((await rewardRounds.open(db)).filter(({ problem }) => problem !== null).length);
    },
  });
  return [open, age, failing];
}
