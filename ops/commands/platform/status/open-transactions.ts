import type { Writer } from '../../../../db/platform/oldest-writer.ts';
import { duration } from '../../../output.ts';
import type { StatusLine } from './line.ts';

/** No statement of the service takes as long; readers of events wait for the end of every writer. */
const LONGEST_SECONDS = 60;

/** Reports a transaction that stays open: no later event reaches its readers. */
export function openTransactionLines(oldest: Writer | null): StatusLine[] {
  if (oldest === null || oldest.openSeconds < LONGEST_SECONDS) return [];
  const { pid, openSeconds, application } = oldest;
  const whose = application === '' ? 'a client without a name' : application;
  const what = `a transaction of ${whose} (process ${pid}) is open for ${duration(openSeconds * 1_000)}: later events wait for its end`;
  const remedy = `psql "$DATABASE_URL" -c "select pg_terminate_backend(${pid})"`;
  return [{ alert: 'SlipwayEventsHeldBack', subject: 'events', is: 'late', what, remedy }];
}
