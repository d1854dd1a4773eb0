import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { continueAsNew, ParentClosePolicy, proxyActivities, startChild, workflowInfo } from '@temporalio/workflow';
import type { RewardActivities } from '../../activities/reward/activities.ts';
import type { RewardPlans } from '../../activities/reward/plan.ts';
import { rewardRoundWorkflowId } from './messages.ts';
import { rewardRound } from './round.ts';

const { planRewardPage, planQuietRewards } = proxyActivities<RewardActivities>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '1 minute',
  retry: { maximumAttempts: 3 },
});

const { openRewardRounds } = proxyActivities<RewardActivities>({
  startToCloseTimeout: '1 minute',
  retry: { maximumAttempts: 3 },
});

/** Workflows started per run; the server allows 2,000 open children. */
const STARTS_PER_RUN = 500;

/** Events per run; the server's limit is 51,200. */
const MOST_EVENTS = 30_000;

const STARTS_AT_ONCE = 100;

/**
 * Starts a workflow for each open reward round, including one whose workflow failed or was lost. Then plans the due
 * rounds page by page from the pool `first` on, and starts theirs. It does not wait for them: a stuck round delays no
 * other token. Returns the number of workflows that the last run started.
 */
export async function rewardRounds(first = ''): Promise<number> {
  const known = new Set<string>();
  // Only the first run of a chain starts the open rounds.
  let started = first === '' ? await startNew(await openRewardRounds(), known) : 0;
  for (let after: string | null = first; after !== null;) {
    const { planned, next }: RewardPlans = await planRewardPage(after);
    started += await startNew(planned, known);
    after = next;
    const isFull = started >= STARTS_PER_RUN || workflowInfo().continueAsNewSuggested;
    if (after !== null && isFull) await continueAsNew<typeof rewardRounds>(after);
  }
  started += await startNew(await planQuietRewards(), known);
  // A cut-off step may have planned rounds that it did not return.
  return started + (await startNew(await openRewardRounds(), known));
}

/** Starts rounds that are new to this run; the next run starts the rest. */
async function startNew(roundIds: readonly string[], known: Set<string>): Promise<number> {
  const fresh = roundIds.filter((roundId) => !known.has(roundId));
  let started = 0;
  const hasRoom = () => started < STARTS_PER_RUN && workflowInfo().historyLength < MOST_EVENTS;
  for (let at = 0; at < fresh.length && hasRoom(); at += STARTS_AT_ONCE)
    started += await startAll(fresh.slice(at, at + STARTS_AT_ONCE));
  for (const roundId of fresh) known.add(roundId);
  return started;
}

async function startAll(roundIds: readonly string[]): Promise<number> {
  const started = await Promise.all(roundIds.map(startRound));
  return started.filter(Boolean).length;
}

async function startRound(roundId: string): Promise<boolean> {
  try {
    await startChild(rewardRound, {
      workflowId: rewardRoundWorkflowId(roundId),
      args: [roundId],
      parentClosePolicy: ParentClosePolicy.ABANDON,
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    });
    return true;
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
    throw error;
  }
}
