import { LAUNCH_STATES, isSettled } from '../../../domain/launch/state.ts';
import { launchWorkflowId } from '../../../workflows/launch/messages.ts';
import { MARKET_INDEX_ID } from '../../../workflows/market/messages.ts';
import { eventually } from '../../support/platform/eventually.ts';
import type { RealStack } from '../chaos/processes/real-stack.ts';
import { DEPLOYMENT, type Release } from './releases.ts';

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

/** Workflows that ended otherwise than by their own return: a round or a launch that a release could not go on with. */
export async function brokenWorkflows({ temporal }: RealStack): Promise<string[]> {
  const ended = 'ExecutionStatus IN ("Failed", "Terminated", "TimedOut", "Canceled")';
  const broken: string[] = [];
  for await (const { workflowId, status } of temporal.workflow.list({ query: ended })) {
    broken.push(`workflow ${workflowId} is ${status.name.toLowerCase()}`);
  }
  return broken;
}

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
