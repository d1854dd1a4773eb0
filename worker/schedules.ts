import { type Client, ScheduleAlreadyRunning, type ScheduleOptions, ScheduleOverlapPolicy } from '@temporalio/client';
import type { WorkerConfig } from '../config/worker.ts';
import type { Round } from '../workflows/start.ts';
import { ROUNDS } from './rounds.ts';

/** A schedule. A due run is skipped while the previous one works. */
export interface Schedule extends Round {
  readonly everySeconds: number;
  readonly jitterSeconds: number;
  readonly catchupSeconds: number;
}

export function schedulesOf(config: WorkerConfig): readonly Schedule[] {
  return ROUNDS.map(({ scheduleId, workflowType, taskQueue, everySeconds, jitterSeconds, catchupSeconds = 60 }) => ({
    scheduleId,
    workflowType,
    taskQueue,
    catchupSeconds,
    everySeconds: everySeconds(config),
    jitterSeconds: jitterSeconds?.(config) ?? 0,
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
  const { scheduleId, workflowType, taskQueue, everySeconds, jitterSeconds, catchupSeconds } = schedule;
  return {
    scheduleId,
    spec: { intervals: [{ every: everySeconds * 1_000 }], jitter: jitterSeconds * 1_000 },
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: catchupSeconds * 1_000 },
    action: { type: 'startWorkflow' as const, workflowType, workflowId: scheduleId, taskQueue, args: [] },
  } satisfies ScheduleOptions;
}
