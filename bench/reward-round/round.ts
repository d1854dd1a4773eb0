import type { RewardActivities } from '../../activities/reward/activities.ts';
import * as rewardRounds from '../../db/reward/reward-rounds.ts';
import type { RewardRound } from '../../db/reward/reward-rounds.ts';
import * as rewardTransactions from '../../db/reward/reward-transactions.ts';
import { rewardRoundWorkflowId, REWARD_ROUNDS } from '../../workflows/reward/messages.ts';
import { runRound } from '../../test/support/platform/run-round.ts';
import { sizeOf } from '../calls/launches.ts';
import { type Measured, measuredOf } from '../calls/report.ts';
import { median } from '../statistics.ts';
import { until } from '../until.ts';
import type { CoinFixture } from './coin.ts';

export const ROUND_ACTIVITIES: readonly (keyof RewardActivities)[] = [
  'openRewardRounds',
  'planRewardPage',
  'planQuietRewards',
  'observeRewardHolders',
  'collectRewards',
  'sellRewards',
  'planRewardPayouts',
  'payRewards',
];

export interface MeasuredRound extends Measured {
  readonly holders: number;
  readonly payoutTransactions: number;
  readonly transactions: number;
}

export async function measureRounds(
  { rig, ground }: CoinFixture,
  mints: readonly string[],
  holders: number,
): Promise<MeasuredRound> {
  const { db } = ground.shared;
  // Earlier sales changed these pools.
  await db
    .updateTable('poolCursors')
    .set((eb) => ({ rewardsSeen: eb.ref('seen') }))
    .where('mint', 'not in', mints)
    .execute();
  ground.tally.take();
  const begun = performance.now();
  await runRound({ client: rig.temporal }, REWARD_ROUNDS);
  const rounds = await Promise.all(mints.map((mint) => untilDone(ground.shared, mint)));
  const seconds = (performance.now() - begun) / 1_000;
  const counted = measuredOf(`a round of ${holders} holders, ${mints.length} at once`, {
    endpoints: ground.endpoints,
    times: mints.length,
    seconds,
    tallied: ground.tally.take(),
  });
  const histories = await Promise.all(rounds.map(({ id }) => historyOf(rig, id)));
  const moved = await Promise.all(rounds.map(({ id }) => rewardTransactions.ofRound(db, id)));
  const done = moved.map((all) => all.filter(({ state }) => state === 'done'));
  return {
    ...counted,
    holders,
    transactions: median(done.map((all) => all.length)),
    payoutTransactions: median(done.map((all) => all.filter(({ kind }) => kind === 'payout').length)),
    events: median(histories.map(({ events }) => events)),
    workflowTasks: median(histories.map(({ workflowTasks }) => workflowTasks)),
    activities: median(histories.map(({ activities }) => activities)),
  };
}

export async function untilDone(
  { db }: Pick<CoinFixture['ground']['shared'], 'db'>,
  mint: string,
): Promise<RewardRound> {
  return until(`the end of the reward round of ${mint}`, async () => {
    const [round] = await rewardRounds.newest(db, 1, mint);
    if (!round) throw new Error(`no round of ${mint} was planned`);
    return round.state === 'done' ? round : null;
  });
}

async function historyOf({ temporal }: CoinFixture['rig'], roundId: string) {
  const handle = temporal.workflow.getHandle(rewardRoundWorkflowId(roundId));
  await handle.result();
  return sizeOf(await handle.fetchHistory());
}
