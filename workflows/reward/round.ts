import { continueAsNew, patched, proxyActivities, sleep, workflowInfo } from '@temporalio/workflow';
import type { RewardActivities } from '../../activities/reward/activities.ts';
import { SNAPSHOTS_PER_ROUND } from '../../domain/reward/state.ts';

/** A step that keeps failing leaves its round open; the next run of the schedule goes on with it. */
const RETRY = { initialInterval: '2 seconds', maximumAttempts: 8 } as const;

const { sellRewards, observeRewardHolders, takeRewardSnapshot, planRewardPayouts } = proxyActivities<RewardActivities>({
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

/** Longest pause while a step waits for something that does not move, ms. */
const LONGEST_PAUSE_MS = 300_000;

/**
 * One reward round of one token: observes the holders' balances while rewards go on accruing and nothing of the round shows on
 * the chain; then collects the tax and the fees, sells them at a random moment, divides what came out, and pays it.
 */
export async function rewardRound(roundId: string): Promise<void> {
  await observeAll(roundId);
  await collectRewards(roundId);
  await untilDone(
    roundId,
    inMs(() => sellRewards(roundId)),
  );
  await planRewardPayouts(roundId);
  await payAll(roundId);
}

async function observeAll(roundId: string): Promise<void> {
  if (patched('reward-observations-in-one-step'))
    return untilDone(roundId, (waitedFor) => observeRewardHolders(roundId, waitedFor));
  for (let n = 0; n < SNAPSHOTS_PER_ROUND; n++)
    await untilDone(
      roundId,
      inMs(() => takeRewardSnapshot(roundId, n)),
    );
}

/** Pays step by step: however many transactions there are, none takes hours, and a history that has become long goes on as a new one. */
async function payAll(roundId: string): Promise<void> {
  const isInSteps = patched('reward-payout-steps');
  while ((await payRewards(roundId)) > 0 && isInSteps)
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof rewardRound>(roundId);
}

/** What a step waits for: one and the same until that has come. */
interface Wait {
  readonly slot?: number;
  readonly ms: number;
}

/** A step that is asked with what was waited for. */
type WaitingStep = (waitedFor?: number) => Promise<Wait | null>;

/** One that answers nothing but in how many ms to ask again, 0 for not at all. */
function inMs(step: () => Promise<number>): WaitingStep {
  return async () => {
    const ms = await step();
    return ms > 0 ? { ms } : null;
  };
}

/**
 * Asks a step until nothing is left to wait for. Where what it waits for does not come nearer, as on a chain that stands still, the
 * pauses grow; a history that has become long nevertheless goes on as a new one, for each step finds out what was done.
 */
async function untilDone(roundId: string, step: WaitingStep): Promise<void> {
  let before: Wait | null = null;
  let pauseMs = 0;
  for (let wait = await step(); wait; wait = await step(wait.slot)) {
    const isNearer: boolean = before === null || wait.slot !== before.slot || wait.ms < before.ms;
    pauseMs = isNearer ? wait.ms : Math.min(LONGEST_PAUSE_MS, pauseMs * 2);
    before = wait;
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof rewardRound>(roundId);
    await sleep(pauseMs);
  }
}
