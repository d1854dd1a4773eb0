import { type Client, ScheduleNotFoundError, ScheduleOverlapPolicy } from '@temporalio/client';
import type { Round } from '../workflows/start.ts';
import { OpsError } from './io.ts';

/** Starts a round unless one is working. Throws an OpsError without a schedule. */
export async function triggerRound(client: Client, { scheduleId }: Round): Promise<void> {
  try {
    await client.schedule.getHandle(scheduleId).trigger(ScheduleOverlapPolicy.SKIP);
  } catch (error) {
    if (!(error instanceof ScheduleNotFoundError)) throw error;
    throw new OpsError(`there is no schedule "${scheduleId}"; start a worker`, { cause: error });
  }
}
