import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import {
  continueAsNew,
  ParentClosePolicy,
  patched,
  proxyActivities,
  startChild,
  workflowInfo,
} from '@temporalio/workflow';
import type { RewardActivities } from '../../activities/reward/activities.ts';
import type { RewardPlans } from '../../activities/reward/plan.ts';
import { isOpenFirst } from '../open-first.ts';
import { rewardRoundWorkflowId } from './messages.ts';
import { rewardRound } from './round.ts';

const { planRewardPage, planQuietRewards, planRewardRounds } = proxyActivities<RewardActivities>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '1 minute',
  retry: { maximumAttempts: 3 },
});

const { openRewardRounds } = proxyActivities<RewardActivities>({
  startToCloseTimeout: '1 minute',
  retry: { maximumAttempts: 3 },
});

/** Workflows after which a run hands over to the next: the server lets one have 2,000 children that are open. */
const STARTS_PER_RUN = 500;

/** Events after which a run starts no more: the server ends one that has 51,200. */
const MOST_EVENTS = 30_000;

/** Workflows that are started at once. */
const STARTS_AT_ONCE = 100;

/**
 * Sees to it that each open reward round has a workflow of its own, also one whose workflow failed or was lost, then plans those
 * that are due, page by page from the pool `after` on, and starts theirs. It does not wait for them: a round that stands still keeps
 * no other token waiting. Answers how many workflows the last run of it started.
 */
export async function rewardRounds(after = ''): Promise<number> {
  if (patched('reward-pages')) return startAndPlan(after);
  const open = isOpenFirst() ? await openRewardRounds() : [];
  const started = await startAll(open);
  const planned = await planRewardRounds();
  return started + (await startAll(planned.filter((roundId) => !open.includes(roundId))));
}

async function startAndPlan(first: string): Promise<number> {
  const known = new Set<string>();
  // A run that goes on with another's pages has nothing to look after.
  let started = first === '' ? await startNew(await openRewardRounds(), known) : 0;
  for (let after: string | null = first; after !== null;) {
    const { planned, next }: RewardPlans = await planRewardPage(after);
    started += await startNew(planned, known);
    after = next;
    const isFull = started >= STARTS_PER_RUN || workflowInfo().continueAsNewSuggested;
    if (after !== null && isFull) await continueAsNew<typeof rewardRounds>(after);
  }
  started += await startNew(await planQuietRewards(), known);
  // A step that was cut off has planned what it did not answer.
  return started + (await startNew(await openRewardRounds(), known));
}

/** Starts the workflows of rounds that this run has not seen yet; what is too much for it comes with the next one. */
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
