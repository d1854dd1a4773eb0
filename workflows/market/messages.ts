import type { Client } from '@temporalio/client';
import type { MarketCheckReport, MarketCheckRequest } from '../../activities/market/check.ts';
import { IF_ABSENT, type Round } from '../start.ts';
import { ROUNDS_TASK_QUEUE } from '../task-queues.ts';

export const GRADUATION_ROUND: Round = {
  scheduleId: 'graduation',
  workflowType: 'graduation',
  taskQueue: ROUNDS_TASK_QUEUE,
};

export const HOLDER_COUNT_ROUND: Round = {
  scheduleId: 'holder-count',
  workflowType: 'holderCount',
  taskQueue: ROUNDS_TASK_QUEUE,
};

/** Type of a workflow that never ends. */
export const MARKET_INDEX_WORKFLOW = 'marketIndex';

export const MARKET_INDEX_ID = 'market-index';

export async function startMarketIndex(client: Client): Promise<void> {
  const start = { ...IF_ABSENT, workflowId: MARKET_INDEX_ID, taskQueue: ROUNDS_TASK_QUEUE, args: [] };
  await client.workflow.start(MARKET_INDEX_WORKFLOW, start);
}

export interface MarketCheckInput extends Omit<MarketCheckRequest, 'mint'> {
  readonly mints: readonly string[];
}

export interface MarketCheckAnswer {
  readonly reports: readonly MarketCheckReport[];
  readonly unknown: readonly string[];
}

/** Runs the check; waits at most `waitSeconds`. */
export function checkMarket(
  client: Client,
  id: string,
  input: MarketCheckInput,
  waitSeconds: number,
): Promise<MarketCheckAnswer> {
  type MarketCheck = (input: MarketCheckInput) => Promise<MarketCheckAnswer>;
  return client.workflow.execute<MarketCheck>('marketCheck', {
    workflowId: `market-check-${id}`,
    taskQueue: ROUNDS_TASK_QUEUE,
    args: [input],
    workflowExecutionTimeout: waitSeconds * 1_000,
  });
}
