import { Client, ScheduleNotFoundError } from '@temporalio/client';
import type { NativeConnection } from '@temporalio/worker';
import type { Logger } from 'pino';
import { pause } from './pause.ts';
import { prepareNamespace } from './prepare-namespace.ts';
import type { Schedule } from './schedules.ts';

/** Pause between two looks at the namespace, in ms: within it the janitors are back after everything in Temporal was lost. */
const LOOK_EVERY_MS = 15_000;

/** How long one try to prepare the namespace again may take, in ms. */
const PREPARE_WITHIN_MS = 10_000;

/** What the keeper looks after. */
export interface NamespaceKeeperDeps {
  readonly connection: NativeConnection;
  readonly namespace: string;
  readonly logger: Logger;
  readonly schedules: readonly Schedule[];
  readonly lookEveryMs?: number;
}

/**
 * Looks until `signal` fires whether the namespace still has the worker's schedules, and prepares it as at the start where it
 * does not: a Temporal server that came back empty has no janitors, and without them nobody would go on with the launches
 * that were open. A failed look is logged and repeated.
 */
export async function keepNamespacePrepared(deps: NamespaceKeeperDeps, signal: AbortSignal): Promise<void> {
  const { logger, namespace } = deps;
  while (await pause(deps.lookEveryMs ?? LOOK_EVERY_MS, signal)) {
    try {
      const lost = await missingSchedules(deps);
      if (lost.length === 0) continue;
      logger.error({ namespace, lost }, 'the namespace lost its schedules: it is prepared again');
      const retry = { logger, signal, timeoutMs: PREPARE_WITHIN_MS };
      await prepareNamespace(deps.connection, namespace, retry, deps.schedules);
    } catch (error) {
      if (!signal.aborted) logger.warn({ err: error, namespace }, 'the namespace could not be looked after');
    }
  }
}

async function missingSchedules({ connection, namespace, schedules }: NamespaceKeeperDeps): Promise<string[]> {
  const client = new Client({ connection, namespace });
  const missing = schedules.map(async ({ scheduleId: id }) => ((await hasSchedule(client, id)) ? [] : [id]));
  return (await Promise.all(missing)).flat();
}

/** Whether a namespace has a schedule: one that came back empty has none until it is prepared again. */
export async function hasSchedule(client: Client, id: string): Promise<boolean> {
  try {
    await client.schedule.getHandle(id).describe();
    return true;
  } catch (error) {
    if (error instanceof ScheduleNotFoundError) return false;
    throw error;
  }
}
