import {
  ApplicationFailure,
  condition,
  isCancellation,
  proxyActivities,
  proxyLocalActivities,
  setHandler,
} from '@temporalio/workflow';
import type { LaunchActivities, LaunchFacts } from '../../activities/launch/activities.ts';
import { awaitsDecision, isSettled, type LaunchStepName, stepsOf } from '../../domain/launch/machine.ts';
import { problemOfParking, problemOfResolution, type Resolution } from '../../domain/launch/operator-decision.ts';
import { LaunchBoard } from './board.ts';
import { LANDINGS_TASK_QUEUE } from '../task-queues.ts';
import { type LaunchInput, type LaunchVerdict, outcomeUpdate, resolveUpdate, stateQuery } from './messages.ts';

/**
 * Steps that are retried for ever, at most 30 seconds apart. A lost worker shows within 10 seconds; a blockhash is
 * valid for a minute.
 */
const steps = proxyActivities<LaunchActivities>({
  startToCloseTimeout: '1 minute',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '200 milliseconds', backoffCoefficient: 2, maximumInterval: '30 seconds' },
});

/** Follows a launch not known to be paid; takes no slot while it waits. */
const landings = proxyActivities<LaunchActivities>({
  taskQueue: LANDINGS_TASK_QUEUE,
  startToCloseTimeout: '1 hour',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '200 milliseconds', backoffCoefficient: 2, maximumInterval: '30 seconds' },
});

/** Steps that follow the chain; a lost worker shows within 10 seconds. */
const watches = proxyActivities<LaunchActivities>({
  startToCloseTimeout: '1 hour',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '200 milliseconds', backoffCoefficient: 2, maximumInterval: '30 seconds' },
});

/**
 * Runs first tries inside the workflow task: one event, no queue. If a try fails or exceeds the limit an activity
 * follows, whose tries the Temporal UI shows. A dead worker shows by the workflow task's timeout, 10 seconds.
 */
const firstTries = proxyLocalActivities<LaunchActivities>({
  startToCloseTimeout: '5 seconds',
  retry: { maximumAttempts: 1 },
});

/**
 * Brings a launch from the intake row to a final token. All state is in the database and on the chain: a new run
 * continues from there.
 */
export async function launch({ quoteId }: LaunchInput): Promise<LaunchVerdict> {
  const board = new LaunchBoard(quoteId);
  let decision: Resolution | undefined;
  setHandler(stateQuery, () => board.state, { description: 'where the launch stands' });
  setHandler(outcomeUpdate, () => untilVerdict(board), { description: 'what submit waits for; decides nothing' });
  setHandler(resolveUpdate, (choice) => void (decision = choice), {
    validator: (choice: Resolution) => assertOpenFor(board, decision, choice),
    description: RESOLVE_DESCRIPTION,
  });

  try {
    board.show(await runStep(board, 'openLaunch'));
    while (!isSettled(board.state)) {
      if (awaitsDecision(board.state)) {
        board.publish();
        await condition(() => decision !== undefined);
        board.show(await steps.resolveLaunch(quoteId, decision!));
        decision = undefined;
      } else {
        await advance(board);
      }
    }
  } catch (error) {
    // The janitor starts another run; this one must not look as if it waited.
    if (isCancellation(error)) board.leave();
    throw error;
  }
  board.publish();
  return board.verdict!;
}

const RESOLVE_DESCRIPTION =
  'decides about a launch in needs_recovery: {"action": "resume" | "refund" | "record", "parking": 1, "note": "why"}';

async function untilVerdict(board: LaunchBoard): Promise<LaunchVerdict> {
  await condition(() => board.verdict !== undefined);
  return board.verdict!;
}

type Step = LaunchStepName | 'openLaunch';

const activityOf: Record<Step, (quoteId: string) => Promise<LaunchFacts>> = {
  openLaunch: steps.openLaunch,
  assembleBundle: steps.assembleBundle,
  simulateBundle: steps.simulateBundle,
  storeMetadata: steps.storeMetadata,
  landBundle: landings.landBundle,
  rebuildRest: steps.rebuildRest,
  recordLaunch: steps.recordLaunch,
  finalizeLaunch: watches.finalizeLaunch,
  refundLaunch: watches.refundLaunch,
};

/** First tries of the short steps. Steps that follow the chain or are rare have none. */
const firstTryOf: Partial<typeof activityOf> = {
  openLaunch: firstTries.openLaunch,
  assembleBundle: firstTries.assembleBundle,
  simulateBundle: firstTries.simulateBundle,
  storeMetadata: firstTries.storeMetadata,
  recordLaunch: firstTries.recordLaunch,
};

async function runStep(board: LaunchBoard, step: Step): Promise<LaunchFacts> {
  const { quoteId } = board;
  try {
    const facts = await firstTryOf[step]?.(quoteId);
    if (facts !== undefined) return facts;
  } catch (error) {
    // Others show as the following activity's failure.
    if (isCancellation(error)) throw error;
  }
  board.publish(step);
  return activityOf[step](quoteId);
}

/** Runs the steps of the current state until one of them changes it. */
async function advance(board: LaunchBoard): Promise<void> {
  const { quoteId, state } = board;
  const ahead = stepsOf(state);
  if (ahead.length === 0) throw ApplicationFailure.nonRetryable(`launch ${quoteId} cannot go on from ${state}`);
  for (const step of ahead) {
    if (board.state === state) board.show(await runStep(board, step));
  }
}

function assertOpenFor(board: LaunchBoard, pending: Resolution | undefined, choice: Resolution): void {
  const problem = problemOfResolution(choice);
  if (problem !== undefined) throw ApplicationFailure.nonRetryable(problem);
  if (board.state !== 'needs_recovery') {
    throw ApplicationFailure.nonRetryable(`launch is ${board.state}; only one in needs_recovery can be resolved`);
  }
  const { parking, blockedReason } = board;
  const other = parking === undefined ? undefined : problemOfParking(choice.parking, parking, blockedReason);
  if (other !== undefined) throw ApplicationFailure.nonRetryable(other);
  if (pending)
    throw ApplicationFailure.nonRetryable(`"${pending.action}" was decided already and is being carried out`);
}
