import { Client } from '@temporalio/client';
import type { NativeConnection } from '@temporalio/worker';
import { RETENTION_DAYS } from '../config/temporal.ts';
import { ensureRetention } from './namespace.ts';
import { retryStart, type StartRetry } from './retry-start.ts';
import { type Schedule, upsertSchedules } from './schedules.ts';
import { registerSearchAttributes } from './search-attributes.ts';

export async function prepareNamespace(
  connection: NativeConnection,
  namespace: string,
  retry: StartRetry,
  schedules: readonly Schedule[],
): Promise<void> {
  // A server may know its namespace a moment after it accepts connections.
  const step = <T>(what: string, run: () => Promise<T>): Promise<T> =>
    retryStart(`${what} of namespace ${namespace}`, run, retry);
  const retention = await step('retention', () => ensureRetention(connection, namespace));
  const log = retention === 'not-allowed' ? retry.logger.warn.bind(retry.logger) : retry.logger.info.bind(retry.logger);
  log({ namespace, retention }, `retention of closed workflows: at least ${RETENTION_DAYS} days wanted, ${retention}`);
  const added = await step('search attributes', () => registerSearchAttributes(connection, namespace));
  const client = new Client({ connection, namespace });
  await step('schedules', () => upsertSchedules(client, schedules));
  retry.logger.info(
    { added, schedules: schedules.map(({ scheduleId }) => scheduleId) },
    'search attributes and schedules are in place',
  );
}
