import {
  ActivityFailure,
  condition,
  continueAsNew,
  log,
  proxyActivities,
  setHandler,
  setWorkflowOptions,
  sleep,
  TimeoutFailure,
  workflowInfo,
} from '@temporalio/workflow';
import type { MarketActivities } from '../../activities/market/activities.ts';
import { WATCH_TASK_QUEUE, WATCH_WAIT } from '../task-queues.ts';
import { MarketBoard } from './board.ts';
import { type MarketIndexInput, poolsTradedSignal } from './messages.ts';

/** A look at everything is tried until it succeeds: what it would find is on the chain and waits. */
const { lookAtMarket } = proxyActivities<MarketActivities>({
  taskQueue: WATCH_TASK_QUEUE,
  scheduleToStartTimeout: WATCH_WAIT,
  startToCloseTimeout: '15 minutes',
  heartbeatTimeout: '30 seconds',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '10 seconds' },
});

/** A look at pools that were heard of is not worth many tries: the next look at everything includes them. */
const { lookAtPools } = proxyActivities<MarketActivities>({
  taskQueue: WATCH_TASK_QUEUE,
  scheduleToStartTimeout: WATCH_WAIT,
  startToCloseTimeout: '1 minute',
  heartbeatTimeout: '20 seconds',
  retry: { maximumAttempts: 2 },
});

/**
 * Keeps the swaps and figures of every token up to date, for ever: looks at all pools, pauses, looks again; and meanwhile at
 * once at those that somebody heard of. What it knows lies in the database, so a run can end and another begin anywhere.
 */
export async function marketIndex({ woken = [] }: MarketIndexInput): Promise<never> {
  const board = new MarketBoard(woken);
  setHandler(poolsTradedSignal, (pools) => board.wake(pools));
  await Promise.all([lookAround(board), followWakes(board)]);
  return continueAsNew<typeof marketIndex>({ woken: board.takeWoken() });
}

/**
 * It has no end: a new release of the worker takes it over, so what it does changes by patches. Where releases are not told apart
 * the server refuses to be told how to.
 */
setWorkflowOptions(() => {
  const { currentDeploymentVersion } = workflowInfo();
  return currentDeploymentVersion?.deploymentName ? { versioningBehavior: 'AUTO_UPGRADE' } : {};
}, marketIndex);

async function lookAround(board: MarketBoard): Promise<void> {
  while (!board.isFull()) {
    const everyMs = await lookOnce();
    if (everyMs === null) continue;
    board.noteLook();
    await sleep(everyMs);
  }
  board.close();
}

/** Answers the pause until the next look, ms; null where no worker took this one. */
async function lookOnce(): Promise<number | null> {
  try {
    return (await lookAtMarket()).everyMs;
  } catch (error) {
    const isUntaken = error instanceof ActivityFailure && error.cause instanceof TimeoutFailure;
    if (!isUntaken || error.cause.timeoutType !== 'SCHEDULE_TO_START') throw error;
    log.warn('no worker took the look at the market; it is asked for anew');
    return null;
  }
}

async function followWakes(board: MarketBoard): Promise<void> {
  for (;;) {
    await condition(() => board.hasWoken || board.isClosed);
    if (board.isClosed) return;
    try {
      await lookAtPools(board.takeWoken());
      board.noteLook();
    } catch (error) {
      if (!(error instanceof ActivityFailure)) throw error;
      log.warn('a look at pools that traded failed; the next look at all pools includes them', { error });
    }
  }
}
