import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect, type Db, transaction } from '../../db/connect.ts';
import * as eventLog from '../../db/events/event-log.ts';
import type { EventFilter, EventPlace } from '../../domain/events/stored-event.ts';
import { type OwnServer, startOwnServer } from '../support/db/own-server.ts';
import { readAll } from '../support/events/read-events.ts';

let server: OwnServer;
beforeAll(async () => {
  server = await startOwnServer('crashed-server');
});
afterAll(() => server.stop());

const write = (db: Db, name: string) =>
  sql`insert into events (type, mint, body) values ('switch.changed', ${name}, '{}')`.execute(db);

async function connected<Result>(work: (db: Db) => Promise<Result>): Promise<Result> {
  const db = connect(server.url, { applicationName: 'test', maxConnections: 2 });
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
}

const FILTERS: readonly EventFilter[] = [{}, { mint: 'later' }, { types: ['switch.changed'], mint: 'later' }];

/** Cursors as readers get them, with each way to read. */
async function cursors(db: Db, before: EventPlace): Promise<EventPlace[]> {
  const pages = await Promise.all(FILTERS.map((filter) => eventLog.readAfter(db, before, filter, 10)));
  return [await eventLog.end(db), ...pages.map(({ next }) => next)];
}

test('a server that crashes numbers transactions again that it had not flushed: no cursor is behind their events', async () => {
  const places = await connected(async (db) => {
    const before = await eventLog.end(db);
    await write(db, 'first');
    await pauseWalWriter(db);
    const undone = transaction(db, async (tx) => {
      await write(tx, 'undone');
      throw new Error('no');
    });
    await expect(undone).rejects.toThrow('no');
    return cursors(db, before);
  });
  await server.crash();
  await connected(async (db) => {
    await write(db, 'later');
    for (const place of places) expect((await readAll(db, place)).map(({ mint }) => mint)).toEqual(['later']);
  });
});

/** It would flush the end of a transaction that was rolled back, some time later. */
async function pauseWalWriter(db: Db): Promise<void> {
  const { rows } = await sql<{ pid: number }>`
    select pid from pg_stat_activity where backend_type = 'walwriter'`.execute(db);
  for (const { pid } of rows) process.kill(pid, 'SIGSTOP');
}
