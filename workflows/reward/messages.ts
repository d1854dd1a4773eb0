import type { Client } from '@temporalio/client';
import { IF_ABSENT, type Round } from '../start.ts';
import { ROUNDS_TASK_QUEUE } from '../task-queues.ts';

/** Plans all tokens' rounds and starts a workflow for each open one. */
export const REWARD_ROUNDS: Round = {
  scheduleId: 'reward-round',
  workflowType: 'rewardRounds',
  taskQueue: ROUNDS_TASK_QUEUE,
};

export function rewardRoundWorkflowId(roundId: string): string {
  return `reward-round-${roundId}`;
}

/** Starts the round's workflow; does nothing if it runs. Returns its id. */
export async function startRewardRound(client: Client, roundId: string): Promise<string> {
  const workflowId = rewardRoundWorkflowId(roundId);
  const start = { ...IF_ABSENT, workflowId, taskQueue: ROUNDS_TASK_QUEUE, args: [roundId] };
  await client.workflow.start('rewardRound', start);
  return workflowId;
}
