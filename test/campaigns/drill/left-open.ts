import { setTimeout as sleep } from 'node:timers/promises';
import { isSettled } from '../../../domain/launch/machine.ts';
import { LAUNCH_STATES, type LaunchState } from '../../../domain/launch/state.ts';
import { launchWorkflowId } from '../../../workflows/launch/messages.ts';
import { MARKET_INDEX_ID } from '../../../workflows/market/messages.ts';
import { eventually } from '../../support/platform/eventually.ts';
import type { Outcome } from '../chaos/chain-verdict.ts';
import type { RealStack } from '../chaos/processes/real-stack.ts';
import { DEPLOYMENT, type Release } from './releases.ts';
import { MOVES_QUEUE } from './settings.ts';

/** `PENDING_ACTIVITY_STATE_STARTED` of Temporal's API: a worker is at it. */
const STARTED = 2;

const OPEN = LAUNCH_STATES.filter((state) => !isSettled(state));

/** Open launches by the state that they are in. */
export async function openLaunches({ db }: RealStack): Promise<Record<string, number>> {
  const rows = await db
    .selectFrom('launches')
    .select(['state', (eb) => eb.fn.countAll<bigint>().as('count')])
    .where('state', 'in', OPEN)
    .groupBy('state')
    .execute();
  return Object.fromEntries(rows.map(({ state, count }) => [state, Number(count)]));
}

/** Waits until no launch is open any more. */
export async function untilNoLaunchIsOpen(stack: RealStack): Promise<void> {
  await eventually(
    async () => (Object.keys(await openLaunches(stack)).length === 0 ? true : null),
    'the end of every launch',
    async () => JSON.stringify(await openLaunches(stack)),
  );
}

/** Waits until nothing runs on a release any more: its workers may go. */
export async function untilDrained({ temporal }: RealStack, { buildId }: Release): Promise<void> {
  const query = `TemporalWorkerDeploymentVersion="${DEPLOYMENT}:${buildId}" AND ExecutionStatus="Running"`;
  await eventually(async () => {
    const { count } = await temporal.workflow.count(query);
    return Number(count) === 0 || null;
  }, `nothing open on release ${buildId}`);
}

/** Rounds that fail where a release took their queue with it; the next round does their work. */
const WATCHERS = ['graduation', 'launchJanitor', 'claimJanitor'];

/** Workflows that ended otherwise than by their own return: a round or a launch that a release could not go on with. */
export async function brokenWorkflows({ temporal }: RealStack): Promise<string[]> {
  const ended = 'ExecutionStatus IN ("Failed", "Terminated", "TimedOut", "Canceled")';
  const broken: string[] = [];
  for await (const { workflowId, type, status } of temporal.workflow.list({ query: ended })) {
    if (MOVES_QUEUE && WATCHERS.includes(type)) continue;
    broken.push(`workflow ${workflowId} is ${status.name.toLowerCase()}`);
  }
  return broken;
}

/** What nobody took for so long waits for a worker that does not come, in ms: all queues are polled in the end. */
const UNTAKEN_MS = 15_000;

/** Longest that a queue which its release took with it may keep something waiting, in ms: two minutes, and a round. */
const GIVEN_UP_WITHIN_MS = 180_000;

/** Activities that no worker takes, in words, once what waits on a queue that is gone was given up; empty when there is none. */
export async function untakenActivities(stack: RealStack): Promise<string[]> {
  const deadline = Date.now() + GIVEN_UP_WITHIN_MS;
  for (;;) {
    const untaken = await untakenNow(stack);
    if (untaken.length === 0 || Date.now() > deadline) return untaken;
    await sleep(1_000);
  }
}

async function untakenNow({ temporal }: RealStack): Promise<string[]> {
  const found: string[] = [];
  for await (const { workflowId, runId } of temporal.workflow.list({ query: 'ExecutionStatus="Running"' })) {
    const { raw } = await temporal.workflow.getHandle(workflowId, runId).describe();
    for (const { activityType, scheduledTime, lastStartedTime } of raw.pendingActivities ?? []) {
      const since = Number(scheduledTime?.seconds ?? 0) * 1_000;
      if (!lastStartedTime && Date.now() - since > UNTAKEN_MS)
        found.push(`workflow ${workflowId} waits for somebody to take ${activityType?.name}`);
    }
  }
  return found;
}

/** Tries of which the failed ones are no accident any more: a part that was away is back after a few. */
const MANY_TRIES = 3;

/** A try that lasts so long is no failing one, in ms: what follows something without an end is tried anew whenever its worker goes. */
const AT_WORK_MS = 20_000;

/** How long what failed while a part was away may take to its next try, which is due within half a minute, in ms. */
const RECOVERY_MS = 90_000;

/** Workflows that try something again and again, in words, once all has had the time to recover; empty when none does. */
export async function retryingWorkflows(stack: RealStack): Promise<string[]> {
  const deadline = Date.now() + RECOVERY_MS;
  for (;;) {
    const retrying = await retryingNow(stack);
    if (retrying.length === 0 || Date.now() > deadline) return retrying;
    await sleep(1_000);
  }
}

async function retryingNow({ temporal }: RealStack): Promise<string[]> {
  const found: string[] = [];
  for await (const { workflowId, runId } of temporal.workflow.list({ query: 'ExecutionStatus="Running"' })) {
    const { raw } = await temporal.workflow.getHandle(workflowId, runId).describe();
    const tries = [
      { what: 'a workflow task', ...raw.pendingWorkflowTask },
      ...(raw.pendingActivities ?? [])
        .filter(({ state, lastStartedTime }) => {
          const since = Number(lastStartedTime?.seconds ?? 0) * 1_000;
          return Number(state) !== STARTED || Date.now() - since < AT_WORK_MS;
        })
        .map((activity) => ({ what: activity.activityType?.name, ...activity })),
    ];
    for (const { what, attempt } of tries) {
      if (Number(attempt ?? 0) >= MANY_TRIES)
        found.push(`workflow ${workflowId} tries ${what} for the ${attempt}th time`);
    }
  }
  return found;
}

/** Launches whose row does not say what the chain says of them, in words: a row may have gone with a server. */
export async function forgottenLaunches(
  { db }: RealStack,
  launches: readonly { readonly quoteId: string; readonly outcome: Outcome }[],
): Promise<string[]> {
  const rows = await db
    .selectFrom('launches')
    .leftJoin('tokens', 'tokens.quoteId', 'launches.quoteId')
    .select(['launches.quoteId', 'launches.state', 'tokens.mint'])
    .execute();
  const known = new Map(rows.map(({ quoteId, ...row }) => [quoteId, row]));
  return launches.flatMap(({ quoteId, outcome }) => {
    const { state = 'nothing', mint = null } = known.get(quoteId) ?? {};
    const isTrue = BOOKED_AS[outcome].includes(state) && (outcome !== 'launched' || mint !== null);
    return isTrue
      ? []
      : [`${quoteId}: ${outcome}, and the database says ${state}${mint === null ? ' without a token' : ''}`];
  });
}

/** What the database says in the end of a launch, by what the chain says of it. A part waits for an operator. */
const BOOKED_AS: Readonly<Record<Outcome, readonly (LaunchState | 'nothing')[]>> = {
  untouched: ['not_landed', 'nothing'],
  launched: ['finalized'],
  refunded: ['refunded'],
  part: ['needs_recovery'],
};

/** Whether the market's index runs, which no release may lose. */
export async function marketIndexProblems({ temporal }: RealStack): Promise<string[]> {
  const { status } = await temporal.workflow.getHandle(MARKET_INDEX_ID).describe();
  return status.name === 'RUNNING' ? [] : [`the market's index is ${status.name}`];
}

/** Whether the workflow of a launch went the way of the changed release. */
export async function ranChanged({ temporal }: RealStack, quoteId: string): Promise<boolean> {
  const { events } = await temporal.workflow.getHandle(launchWorkflowId(quoteId)).fetchHistory();
  return (events ?? []).some(({ timerStartedEventAttributes }) => Boolean(timerStartedEventAttributes));
}
