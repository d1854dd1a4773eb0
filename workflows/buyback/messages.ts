import type { Round } from '../start.ts';
import { ROUNDS_TASK_QUEUE } from '../task-queues.ts';

export const BUYBACK_ROUND: Round = {
  scheduleId: 'buyback',
  workflowType: 'buyback',
  taskQueue: ROUNDS_TASK_QUEUE,
};
