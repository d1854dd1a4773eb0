import {
  ActivityFailure,
  condition,
  continueAsNew,
  log,
  patched,
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

/**
 * Following a stream has no end of its own; it begins anew where it stopped. A worker that is gone is noticed by the silence, so that
 * another one goes on within seconds.
 */
const { followMarket } = proxyActivities<MarketActivities>({
  taskQueue: WATCH_TASK_QUEUE,
  scheduleToStartTimeout: WATCH_WAIT,
  startToCloseTimeout: '2 hours',
  heartbeatTimeout: '5 seconds',
  retry: { initialInterval: '200 milliseconds', backoffCoefficient: 2, maximumInterval: '5 seconds' },
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
 * once at those that somebody heard of. Where the worker has a stream, follows
 * that instead. What it knows lies in the database, so a run can end and another begin anywhere.
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
    const look = await unlessUntaken(lookAtMarket);
    if (look === null) continue;
    board.noteLook();
    if (look.isStreamed === true && patched('market-stream')) await unlessUntaken(followMarket);
    else await sleep(look.everyMs);
  }
  board.close();
}

/** What an activity answers; null where no worker took it, and it is asked for anew. */
async function unlessUntaken<Answer>(activity: () => Promise<Answer>): Promise<Answer | null> {
  try {
    return await activity();
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
