import type { Round } from '../start.ts';
import { ROUNDS_TASK_QUEUE } from '../task-queues.ts';

/** Round that seals the log of receipts, of the list of wallets and of prices. */
export const SEALED_LOG_ROUND: Round = {
  scheduleId: 'sealed-log',
  workflowType: 'sealLog',
  taskQueue: ROUNDS_TASK_QUEUE,
};
