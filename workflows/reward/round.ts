import { continueAsNew, proxyActivities, sleep, workflowInfo } from '@temporalio/workflow';
import type { RewardActivities } from '../../activities/reward/activities.ts';

/** A failing round stays open; the schedule's next run continues it. */
const RETRY = { initialInterval: '2 seconds', maximumAttempts: 8 } as const;

const { sellRewards, observeRewardHolders, planRewardPayouts } = proxyActivities<RewardActivities>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '10 seconds',
  retry: RETRY,
});

const { collectRewards, payRewards } = proxyActivities<RewardActivities>({
  // Many transactions; the heartbeat shows a living worker.
  startToCloseTimeout: '6 hours',
  heartbeatTimeout: '10 seconds',
  retry: RETRY,
});

/** Longest pause while the awaited slot comes no nearer. */
const LONGEST_PAUSE_MS = 300_000;

export async function rewardRound(roundId: string): Promise<void> {
  await untilDone(roundId, () => observeRewardHolders(roundId));
  await collectRewards(roundId);
  await untilDone(roundId, () => untilSold(roundId));
  await planRewardPayouts(roundId);
  await payAll(roundId);
}

/** Pays step by step, so that no step takes hours. A long history continues as a new run. */
async function payAll(roundId: string): Promise<void> {
  while ((await payRewards(roundId)) > 0)
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof rewardRound>(roundId);
}

/** A wait for a slot, which stays the same until it has come. */
interface Wait {
  readonly slot?: number;
  readonly ms: number;
}

async function untilSold(roundId: string): Promise<Wait | null> {
  const ms = await sellRewards(roundId);
  return ms > 0 ? { ms } : null;
}

/**
 * Repeats the step until it has nothing to wait for; pauses grow while the awaited slot comes no nearer. A long
 * history continues as a new run: each step finds out what is done.
 */
async function untilDone(roundId: string, step: () => Promise<Wait | null>): Promise<void> {
  let before: Wait | null = null;
  let pauseMs = 0;
  for (let wait = await step(); wait; wait = await step()) {
    const isNearer: boolean = before === null || wait.slot !== before.slot || wait.ms < before.ms;
    pauseMs = isNearer ? wait.ms : Math.min(LONGEST_PAUSE_MS, pauseMs * 2);
    before = wait;
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof rewardRound>(roundId);
    await sleep(pauseMs);
  }
}
