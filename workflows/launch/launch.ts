import {
  ApplicationFailure,
  condition,
  isCancellation,
  patched,
  proxyActivities,
  proxyLocalActivities,
  setHandler,
} from '@temporalio/workflow';
import type { LaunchActivities, LaunchFacts } from '../../activities/launch/activities.ts';
import { type LaunchStepName, stepsOf } from '../../domain/launch/machine.ts';
import { problemOfResolution, type Resolution } from '../../domain/launch/operator-decision.ts';
import { isSettled } from '../../domain/launch/state.ts';
import { LaunchBoard } from './board.ts';
import { type LaunchInput, type LaunchVerdict, outcomeUpdate, resolveUpdate, stateQuery } from './messages.ts';

/**
 * Steps that answer within seconds; a fault in one is tried again for ever, with a pause of at most 30 seconds. They report
 * as they go: a lost worker is noticed within 10 seconds, while a payment's blockhash is good for a minute.
 */
const steps = proxyActivities<LaunchActivities>({
  startToCloseTimeout: '1 minute',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '200 milliseconds', backoffCoefficient: 2, maximumInterval: '30 seconds' },
});

/** Steps that follow the chain; they report as they go, so that a lost worker is noticed within 10 seconds. */
const watches = proxyActivities<LaunchActivities>({
  startToCloseTimeout: '1 hour',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '200 milliseconds', backoffCoefficient: 2, maximumInterval: '30 seconds' },
});

/**
 * The first try of a step that mostly takes a moment, inside of the workflow task: its answer is one event, and nobody waits for
 * a queue. What fails, or is not there within the limit, is tried again as an activity of its own, which the Temporal UI shows
 * with its tries, its last failure and its worker's signs of life. A worker that dies meanwhile is noticed by the timeout of the
 * workflow task, 10 seconds.
 */
const firstTries = proxyLocalActivities<LaunchActivities>({
  startToCloseTimeout: '5 seconds',
  retry: { maximumAttempts: 1 },
});

/** Runs that began before steps were first tried inside of the workflow task. */
const FIRST_TRIES_PATCH = 'first-tries';

/**
 * One launch, from the intake row to a token that no fork can remove. Everything it knows lies in the database and on
 * the chain: a run that starts over finds there what an earlier one did, and goes on from that state.
 */
export async function launch({ quoteId }: LaunchInput): Promise<LaunchVerdict> {
  const isQuick = patched(FIRST_TRIES_PATCH);
  const board = new LaunchBoard(quoteId, isQuick);
  const take = (step: TakenStep): Promise<LaunchFacts> => (isQuick ? tryFirst(board, step) : doing[step](quoteId));
  let decision: Resolution | undefined;
  setHandler(stateQuery, () => board.state, { description: 'where the launch stands' });
  setHandler(outcomeUpdate, () => untilVerdict(board), { description: 'what submit waits for; decides nothing' });
  setHandler(resolveUpdate, (choice) => void (decision = choice), {
    validator: (choice: Resolution) => assertOpenFor(board, decision, choice),
    description: RESOLVE_DESCRIPTION,
  });

  try {
    board.show(await take('openLaunch'));
    while (!isSettled(board.state)) {
      if (board.state === 'needs_recovery') {
        board.publish();
        await condition(() => decision !== undefined);
        board.show(await steps.resolveLaunch(quoteId, decision!));
        decision = undefined;
      } else {
        await advance(board, take);
      }
    }
  } catch (error) {
    // The janitor starts another run; this one must not look as if it still waited for somebody.
    if (isCancellation(error)) board.leave();
    throw error;
  }
  board.publish();
  return board.verdict!;
}

const RESOLVE_DESCRIPTION =
  'decides about a launch in needs_recovery: {"action": "resume" | "refund" | "record", "note": "why"}';

async function untilVerdict(board: LaunchBoard): Promise<LaunchVerdict> {
  await condition(() => board.verdict !== undefined);
  return board.verdict!;
}

/** What a run does by itself: how the launch stands, and the steps of its life. */
type TakenStep = LaunchStepName | 'openLaunch';

/** What does each step, with as many tries as it takes. */
const doing: Record<TakenStep, (quoteId: string) => Promise<LaunchFacts>> = {
  openLaunch: steps.openLaunch,
  assembleBundle: steps.assembleBundle,
  simulateBundle: steps.simulateBundle,
  storeMetadata: steps.storeMetadata,
  landBundle: watches.landBundle,
  rebuildRest: steps.rebuildRest,
  recordLaunch: steps.recordLaunch,
  finalizeLaunch: watches.finalizeLaunch,
  refundLaunch: watches.refundLaunch,
};

/** The first try of every step that mostly takes a moment. One that follows the chain, or that few launches take, has none. */
const trying: Partial<typeof doing> = {
  openLaunch: firstTries.openLaunch,
  assembleBundle: firstTries.assembleBundle,
  simulateBundle: firstTries.simulateBundle,
  storeMetadata: firstTries.storeMetadata,
  recordLaunch: firstTries.recordLaunch,
};

async function tryFirst(board: LaunchBoard, step: TakenStep): Promise<LaunchFacts> {
  const { quoteId } = board;
  try {
    const facts = await trying[step]?.(quoteId);
    if (facts !== undefined) return facts;
  } catch (error) {
    // What else went wrong shows as the failure of the activity that follows.
    if (isCancellation(error)) throw error;
  }
  board.publish(step);
  return doing[step](quoteId);
}

/** Takes the steps of the state the launch is in, until one of them has led to another. */
async function advance(board: LaunchBoard, take: (step: TakenStep) => Promise<LaunchFacts>): Promise<void> {
  const { quoteId, state } = board;
  const ahead = stepsOf(state);
  if (ahead.length === 0) throw ApplicationFailure.nonRetryable(`launch ${quoteId} cannot go on from ${state}`);
  for (const step of ahead) {
    if (board.state === state) board.show(await take(step));
  }
}

function assertOpenFor(board: LaunchBoard, pending: Resolution | undefined, choice: unknown): void {
  const problem = problemOfResolution(choice);
  if (problem !== undefined) throw ApplicationFailure.nonRetryable(problem);
  if (board.state !== 'needs_recovery') {
    throw ApplicationFailure.nonRetryable(`launch is ${board.state}; only one in needs_recovery can be resolved`);
  }
  if (pending)
    throw ApplicationFailure.nonRetryable(`"${pending.action}" was decided already and is being carried out`);
}
