import type { Client } from '@temporalio/client';
import { IF_ABSENT, type Round } from '../start.ts';
import { ROUNDS_TASK_QUEUE } from '../task-queues.ts';

/** The round that plans the reward rounds of all tokens and sees to it that each open one has a workflow. */
export const REWARD_ROUNDS: Round = {
  scheduleId: 'reward-round',
  workflowType: 'rewardRounds',
  taskQueue: ROUNDS_TASK_QUEUE,
};

/** Id of the workflow of one token's round. */
export function rewardRoundWorkflowId(roundId: string): string {
  return `reward-round-${roundId}`;
}

/** Starts the workflow of one token's round where none runs. Answers its id. */
export async function startRewardRound(client: Client, roundId: string): Promise<string> {
  const workflowId = rewardRoundWorkflowId(roundId);
  const start = { ...IF_ABSENT, workflowId, taskQueue: ROUNDS_TASK_QUEUE, args: [roundId] };
  await client.workflow.start('rewardRound', start);
  return workflowId;
}
