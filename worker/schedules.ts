import { type Client, ScheduleAlreadyRunning, type ScheduleOptions, ScheduleOverlapPolicy } from '@temporalio/client';
import type { WorkerConfig } from '../config/worker.ts';
import type { Round } from '../workflows/start.ts';
import { ROUNDS } from './rounds.ts';

/** A schedule. A due run is skipped while the previous one works. */
export interface Schedule extends Round {
  readonly everySeconds: number;
  readonly offsetSeconds: number;
  readonly jitterSeconds: number;
  readonly catchupSeconds: number;
}

export function schedulesOf(config: WorkerConfig): readonly Schedule[] {
  return ROUNDS.map(({ scheduleId, workflowType, taskQueue, catchupSeconds = 60, ...row }) => ({
    scheduleId,
    workflowType,
    taskQueue,
    catchupSeconds,
    everySeconds: row.everySeconds(config),
    offsetSeconds: row.offsetSeconds?.(config) ?? 0,
    jitterSeconds: row.jitterSeconds?.(config) ?? 0,
  }));
}

export async function upsertSchedules(client: Client, schedules: readonly Schedule[]): Promise<void> {
  for (const schedule of schedules) {
    const definition = definitionOf(schedule);
    try {
      await client.schedule.create(definition);
    } catch (error) {
      if (!(error instanceof ScheduleAlreadyRunning)) throw error;
      await client.schedule.getHandle(schedule.scheduleId).update(({ state: { paused, note } }) => ({
        ...definition,
        state: { paused, note },
      }));
    }
  }
}

function definitionOf(schedule: Schedule) {
  const { scheduleId, workflowType, taskQueue, everySeconds, offsetSeconds, jitterSeconds, catchupSeconds } = schedule;
  const interval = { every: everySeconds * 1_000, offset: offsetSeconds * 1_000 };
  return {
    scheduleId,
    spec: { intervals: [interval], jitter: jitterSeconds * 1_000 },
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: catchupSeconds * 1_000 },
    action: { type: 'startWorkflow' as const, workflowType, workflowId: scheduleId, taskQueue, args: [] },
  } satisfies ScheduleOptions;
}
