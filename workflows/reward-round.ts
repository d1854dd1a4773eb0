import { proxyActivities, sleep } from '@temporalio/workflow';
import type { RewardActivities } from '../activities/reward/activities.ts';
import { SNAPSHOTS_PER_ROUND } from '../domain/reward/reward.ts';

/** A step that keeps failing leaves its round open; the next run of the schedule goes on with it. */
const RETRY = { initialInterval: '2 seconds', maximumAttempts: 8 } as const;

const { sellRewards, takeRewardSnapshot, planRewardPayouts } = proxyActivities<RewardActivities>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '10 seconds',
  retry: RETRY,
});

const { collectRewards, payRewards } = proxyActivities<RewardActivities>({
  // Many transactions, one after the other; the heartbeat tells whether somebody is still at it.
  startToCloseTimeout: '6 hours',
  heartbeatTimeout: '10 seconds',
  retry: RETRY,
});

/**
 * One reward round of one token: collects the tax and the fees, sells them at a random moment while the holders' balances are
 * observed, divides what came out, and pays it.
 */
export async function rewardRound(roundId: string): Promise<void> {
  await collectRewards(roundId);
  await Promise.all([untilDone(() => sellRewards(roundId)), observe(roundId)]);
  await planRewardPayouts(roundId);
  await payRewards(roundId);
}

async function observe(roundId: string): Promise<void> {
  for (let n = 0; n < SNAPSHOTS_PER_ROUND; n++) await untilDone(() => takeRewardSnapshot(roundId, n));
}

/** Asks a step until nothing is left to wait for. */
async function untilDone(step: () => Promise<number>): Promise<void> {
  for (let waitMs = await step(); waitMs > 0; waitMs = await step()) await sleep(waitMs);
}
