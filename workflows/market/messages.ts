import type { Client } from '@temporalio/client';
import { defineSignal } from '@temporalio/workflow';
import type { MarketCheckReport, MarketCheckRequest } from '../../activities/market/check.ts';
import { IF_ABSENT, type Round } from '../start.ts';
import { ROUNDS_TASK_QUEUE } from '../task-queues.ts';

/** The round that graduates tokens and keeps figures true that change without a trade. */
export const GRADUATION_ROUND: Round = {
  scheduleId: 'graduation',
  workflowType: 'graduation',
  taskQueue: ROUNDS_TASK_QUEUE,
};

/** The round that counts tokens' holders. */
export const HOLDER_COUNT_ROUND: Round = {
  scheduleId: 'holder-count',
  workflowType: 'holderCount',
  taskQueue: ROUNDS_TASK_QUEUE,
};

/** Registered name of the workflow that keeps the index of the market. It has no end. */
export const MARKET_INDEX_WORKFLOW = 'marketIndex';

/** Id of the one workflow that keeps the index of the market. */
export const MARKET_INDEX_ID = 'market-index';

/** Input of a run of the index. */
export interface MarketIndexInput {
  /** Pools (base58) that the run before was told of and did not look at any more. */
  readonly woken?: readonly string[];
}

/** Starts the index of the market where it does not run. */
export async function startMarketIndex(client: Client): Promise<void> {
  const args: [MarketIndexInput] = [{}];
  const start = { ...IF_ABSENT, workflowId: MARKET_INDEX_ID, taskQueue: ROUNDS_TASK_QUEUE, args };
  await client.workflow.start(MARKET_INDEX_WORKFLOW, start);
}

/** Says that something happened to these pools (base58), so that they are looked at at once. */
export const poolsTradedSignal = defineSignal<[readonly string[]]>('poolsTraded');

/** Which tokens are to be checked, and what may be done about differences. */
export interface MarketCheckInput extends Omit<MarketCheckRequest, 'mint'> {
  readonly mints: readonly string[];
}

/** What the checks found. */
export interface MarketCheckAnswer {
  readonly reports: readonly MarketCheckReport[];
  /** Mints of no token that is known. */
  readonly unknown: readonly string[];
}

/** Has the market's swaps checked against the chain under an id of the caller's and waits for the answer, at most so many seconds. */
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
