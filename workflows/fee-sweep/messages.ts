import type { Round } from '../start.ts';
import { ROUNDS_TASK_QUEUE } from '../task-queues.ts';

/** The round that collects the fees of the platform's positions. */
export const FEE_SWEEP_ROUND: Round = {
  scheduleId: 'fee-sweep',
  workflowType: 'feeSweep',
  taskQueue: ROUNDS_TASK_QUEUE,
};
