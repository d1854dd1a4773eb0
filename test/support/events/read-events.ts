import { sql } from 'kysely';
import type { Db } from '../../../db/connect.ts';
import * as eventLog from '../../../db/events/event-log.ts';
import type { EventFilter, EventPlace, StoredEvent } from '../../../domain/events/stored-event.ts';
import { eventually } from '../platform/eventually.ts';

/**
 * Waits until no transaction that is open now is open any more: a test's server has other databases, whose
 * transactions hold readers back too.
 */
export async function untilVisible(db: Db): Promise<void> {
  const { rows } = await sql<{ xid: string }>`select pg_current_xact_id() as xid`.execute(db);
  const own = BigInt(rows[0]!.xid);
  const oldest = sql<{ xid: string }>`select pg_snapshot_xmin(pg_current_snapshot()) as xid`;
  await eventually(async () => {
    const [open] = (await oldest.execute(db)).rows;
    return BigInt(open!.xid) > own ? true : null;
  }, 'older transactions have ended');
}

/** Every event after a place (null: the oldest), page by page. */
export async function readAll(
  db: Db,
  after: EventPlace | null = null,
  filter: EventFilter = {},
  limit = 100,
): Promise<StoredEvent[]> {
  await untilVisible(db);
  const events: StoredEvent[] = [];
  for (let place = after; ;) {
    const page = await eventLog.readAfter(db, place, filter, limit);
    events.push(...page.events);
    if (!page.hasMore) return events;
    place = page.next;
  }
}
