import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { ParentClosePolicy, proxyActivities, startChild } from '@temporalio/workflow';
import type { RewardActivities } from '../activities/reward/activities.ts';
import { rewardRoundWorkflowId } from './messages/rewards.ts';
import { rewardRound } from './reward-round.ts';

const { planRewardRounds } = proxyActivities<RewardActivities>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '1 minute',
  retry: { maximumAttempts: 3 },
});

/**
 * Plans the reward rounds that are due and sees to it that each open one has a workflow of its own, also one whose workflow
 * failed or was lost. It does not wait for them: a round that stands still keeps no other token waiting. Answers how many
 * workflows it started.
 */
export async function rewardRounds(): Promise<number> {
  const started = await Promise.all((await planRewardRounds()).map(startRound));
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
