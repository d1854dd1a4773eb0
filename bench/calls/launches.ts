import type { History } from '@temporalio/common/lib/proto-utils.js';
import { launchWorkflowId } from '../../workflows/launch/messages.ts';
import { prepareLaunch, type SignedLaunch } from '../launch-latency/prepare.ts';
import type { Rig } from '../launch-latency/rig.ts';
import { median } from '../statistics.ts';
import type { CallsFixture } from './fixture.ts';
import { type Measured, measuredOf } from './report.ts';

export async function measureLaunches({ tally, endpoints }: CallsFixture, rig: Rig, atOnce: number): Promise<Measured> {
  const prepared = [];
  for (let n = 0; n < atOnce; n++) prepared.push(await prepareLaunch(rig));
  tally.take();
  const begun = performance.now();
  const launched = await Promise.all(prepared.map((launch) => launchOnce(rig, launch)));
  const seconds = (performance.now() - begun) / 1_000;
  return {
    ...measuredOf(`a launch, ${atOnce} at once`, { endpoints, times: atOnce, seconds, tallied: tally.take() }),
    events: median(launched.map(({ events }) => events)),
    workflowTasks: median(launched.map(({ workflowTasks }) => workflowTasks)),
  };
}

/** Returns the history's size once final. */
export async function launchOnce(rig: Rig, { quoteId, ...submission }: SignedLaunch): Promise<HistorySize> {
  const { status } = await rig.api.ask('POST /launches/submit', { body: { ...submission, logo: rig.wish.logo } });
  if (status !== 'completed') throw new Error(`launch ${quoteId} is ${status} and was to be completed`);
  const handle = rig.temporal.workflow.getHandle(launchWorkflowId(quoteId));
  await handle.result();
  return sizeOf(await handle.fetchHistory());
}

export interface HistorySize {
  readonly events: number;
  readonly workflowTasks: number;
  readonly activities: number;
}

export function sizeOf({ events }: History): HistorySize {
  const all = events ?? [];
  return {
    events: all.length,
    workflowTasks: all.filter((event) => event.workflowTaskCompletedEventAttributes).length,
    activities: all.filter((event) => event.activityTaskScheduledEventAttributes).length,
  };
}
