import type { Round } from '../start.ts';
import { ROUNDS_TASK_QUEUE } from '../task-queues.ts';

export const RESTOCK_ROUND: Round = {
  scheduleId: 'restock',
  workflowType: 'restock',
  taskQueue: ROUNDS_TASK_QUEUE,
};
