import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { ParentClosePolicy, proxyActivities, startChild } from '@temporalio/workflow';
import type { RewardActivities } from '../../activities/reward/activities.ts';
import { isOpenFirst } from '../open-first.ts';
import { rewardRoundWorkflowId } from './messages.ts';
import { rewardRound } from './round.ts';

const { planRewardRounds } = proxyActivities<RewardActivities>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '1 minute',
  retry: { maximumAttempts: 3 },
});

const { openRewardRounds } = proxyActivities<RewardActivities>({
  startToCloseTimeout: '1 minute',
  retry: { maximumAttempts: 3 },
});

/**
 * Sees to it that each open reward round has a workflow of its own, also one whose workflow failed or was lost, then plans those
 * that are due and starts theirs. It does not wait for them: a round that stands still keeps no other token waiting. Answers how many
 * workflows it started.
 */
export async function rewardRounds(): Promise<number> {
  const open = isOpenFirst() ? await openRewardRounds() : [];
  const started = await startAll(open);
  const planned = await planRewardRounds();
  return started + (await startAll(planned.filter((roundId) => !open.includes(roundId))));
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
