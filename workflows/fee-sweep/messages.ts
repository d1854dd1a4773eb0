import type { Round } from '../start.ts';
import { ROUNDS_TASK_QUEUE } from '../task-queues.ts';

export const FEE_SWEEP_ROUND: Round = {
  scheduleId: 'fee-sweep',
  workflowType: 'feeSweep',
  taskQueue: ROUNDS_TASK_QUEUE,
};
