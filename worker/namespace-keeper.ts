import { Client, ScheduleNotFoundError } from '@temporalio/client';
import type { NativeConnection } from '@temporalio/worker';
import type { Logger } from 'pino';
import { pause } from '../domain/pause.ts';
import { prepareNamespace } from './prepare-namespace.ts';
import type { Schedule } from './schedules.ts';

/** Interval of checks, ms. It bounds how long janitors are missing after Temporal was lost. */
const LOOK_EVERY_MS = 15_000;

const PREPARE_WITHIN_MS = 10_000;

export interface NamespaceKeeperDeps {
  readonly connection: NativeConnection;
  readonly namespace: string;
  readonly logger: Logger;
  readonly schedules: readonly Schedule[];
  readonly lookEveryMs?: number;
}

/**
 * Checks until `signal` that the namespace has the worker's schedules, else prepares it again. An empty Temporal has
 * no janitors.
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

export async function hasSchedule(client: Client, id: string): Promise<boolean> {
  try {
    await client.schedule.getHandle(id).describe();
    return true;
  } catch (error) {
    if (error instanceof ScheduleNotFoundError) return false;
    throw error;
  }
}
