import { type Client, ScheduleNotFoundError } from '@temporalio/client';
import { OpsError } from './io.ts';

/** Starts a run of a schedule now, unless one works already. Throws an OpsError where no worker has made the schedule yet. */
export async function triggerSchedule(client: Client, id: string): Promise<void> {
  try {
    await client.schedule.getHandle(id).trigger();
  } catch (error) {
    if (!(error instanceof ScheduleNotFoundError)) throw error;
    throw new OpsError(`there is no schedule "${id}"; start a worker`, { cause: error });
  }
}
