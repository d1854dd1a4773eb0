import { readWorkerConfig } from '../../../config/worker.ts';
import { type Schedule, schedulesOf } from '../../../worker/schedules.ts';
import { WORKER_VARIABLES } from '../variables.ts';

/** The schedules of an installation that sets no cadence. */
export const DEFAULT_SCHEDULES: readonly Schedule[] = schedulesOf(readWorkerConfig(WORKER_VARIABLES));
