import { sql } from 'kysely';
import { expect, test } from 'vitest';
import * as eventDays from '../../db/events/event-days.ts';
import * as eventLog from '../../db/events/event-log.ts';
import type { EventPlace } from '../../domain/events/stored-event.ts';
import { transaction, type Db } from '../../db/connect.ts';
import { createDice } from '../support/dice.ts';
import { eventually } from '../support/platform/eventually.ts';
import { useDatabase } from '../support/db/use-database.ts';
import { readAll, untilVisible } from '../support/events/read-events.ts';

const { db } = useDatabase();

const write = (to: Db, name: string, at = sql`now()`) =>
  sql`insert into events (type, at, day, mint, body)
    values ('switch.changed', ${at}, event_day(${at}), ${name}, '{}')`.execute(to);
const namesOf = (events: readonly { readonly mint: string | null }[]) => events.map(({ mint }) => mint);

test('an event of a younger transaction waits for an older one that is still open, and comes after its events', async () => {
  const start = await eventLog.end(db());
  const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const older = transaction(db(), async (tx) => {
    await write(tx, 'older');
    begun.resolve();
    await end.promise;
  });
  await begun.promise;
  await write(db(), 'younger');
  const early = await eventLog.readAfter(db(), start, {}, 10);
  expect([early.events, early.hasMore]).toEqual([[], false]);
  expect(await eventDays.heldBackSeconds(db())).toBeGreaterThan(0);
  end.resolve();
  await older;
  // The cursor of the empty page is before both.
  expect(namesOf(await readAll(db(), early.next))).toEqual(['older', 'younger']);
});

test('readers that follow many concurrent writers get every event once and in the order of the log', async () => {
  const start = await eventLog.end(db());
  const dice = createDice(7);
  const writers = Array.from({ length: 8 }, async (_, writer) => {
    for (let n = 0; n < 12; n += 1) {
      const seconds = dice(4) === 0 ? 0.03 : 0.002;
      await transaction(db(), async (tx) => {
        await write(tx, `${writer}/${n}/a`);
        await sql`select pg_sleep(${seconds})`.execute(tx);
        await write(tx, `${writer}/${n}/b`);
      });
    }
  });
  const seen: string[] = [];
  let place: EventPlace = start;
  const follow = async () => {
    const page = await eventLog.readAfter(db(), place, {}, 5);
    seen.push(...namesOf(page.events).map(String));
    place = page.next;
    return page.hasMore;
  };
  let isWriting = true;
  const all = Promise.all(writers).finally(() => {
    isWriting = false;
  });
  while (isWriting) await follow();
  await all;
  await untilVisible(db());
  while (await follow());
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen.toSorted()).toEqual(
    Array.from({ length: 8 * 12 }, (_, n) => [`${n % 8}/${Math.floor(n / 8)}/a`, `${n % 8}/${Math.floor(n / 8)}/b`])
      .flat()
      .toSorted(),
  );
  expect(seen).toEqual(namesOf(await readAll(db(), start)));
});

test('an event that is rolled back is never seen', async () => {
  const start = await eventLog.end(db());
  const failed = transaction(db(), async (tx) => {
    await write(tx, 'undone');
    throw new Error('no');
  });
  await expect(failed).rejects.toThrow('no');
  expect(await readAll(db(), start)).toEqual([]);
});

test('a filter that matches little moves its cursor on, and costs no more than a page', async () => {
  const start = await eventLog.end(db());
  await sql`insert into events (type, mint, body) select 'burn', 'crowd', '{}' from generate_series(1, 4100)`.execute(
    db(),
  );
  await sql`insert into events (type, mint, wallet, body) values ('claim.paid', 'crowd', 'one', '{}')`.execute(db());
  await untilVisible(db());
  const first = await eventLog.readAfter(db(), start, { mint: 'crowd', types: ['claim.paid'] }, 10);
  expect([first.events, first.hasMore]).toEqual([[], true]);
  expect(await readAll(db(), first.next, { mint: 'crowd', types: ['claim.paid'] })).toMatchObject([{ wallet: 'one' }]);
  expect(await readAll(db(), start, { wallet: 'one' })).toHaveLength(1);
  expect(await readAll(db(), start, { types: ['claim.paid', 'burn'] }, 1_000)).toHaveLength(4_101);
});

test('a day is dropped whole when it is no longer kept; a cursor before its end is told where to begin again', async () => {
  const oldest = await eventLog.readAfter(db(), null, {}, 1);
  const past = sql`now() - interval '31 days'`;
  await write(db(), 'old', past);
  await write(db(), 'new');
  await eventDays.prepare(db());
  await untilVisible(db());
  const tables = await sql`select from pg_inherits where inhparent = 'events'::regclass`.execute(db());
  const start = { ...(await eventLog.end(db())), day: 0, xid: 0n };
  expect(await eventDays.dropOld(db(), 30)).toBe(1);
  const left = await sql`select from pg_inherits where inhparent = 'events'::regclass`.execute(db());
  expect(left.rows.length).toBe(tables.rows.length - 1);
  const lost = await eventLog.readAfter(db(), start, {}, 10).catch((error: unknown) => error);
  expect(lost).toBeInstanceOf(eventLog.LostPlaceError);
  if (!(lost instanceof eventLog.LostPlaceError)) throw lost;
  expect(namesOf(await readAll(db(), lost.oldest))).toEqual(['new']);
  await expect(eventLog.readAfter(db(), oldest.next, {}, 10)).rejects.toThrow(eventLog.LostPlaceError);
  expect(await eventDays.dropOld(db(), 30)).toBe(0);
});

test('a cursor of before a restore is refused, however young it is', async () => {
  const before = await eventLog.end(db());
  await eventDays.renew(db());
  await expect(eventLog.readAfter(db(), before, {}, 10)).rejects.toThrow('the log was restored');
  const ahead = { ...(await eventLog.end(db())), xid: before.xid + 1_000_000n };
  await expect(eventLog.readAfter(db(), ahead, {}, 10)).rejects.toThrow(eventLog.LostPlaceError);
});

test('events of a dump that was loaded into a younger server are discarded, and the log is renewed', async () => {
  expect(await eventDays.discardForeign(db())).toBe(0);
  const place = await eventLog.end(db());
  await sql`insert into events (xid, type, body) values ('9000000000', 'burn', '{}')`.execute(db());
  expect(await eventDays.discardForeign(db())).toBe(1);
  await expect(eventLog.readAfter(db(), place, {}, 10)).rejects.toThrow(eventLog.LostPlaceError);
});

test('cursors of the server that a dump was loaded into are good, though the dump had dropped later transactions', async () => {
  const place = await eventLog.end(db());
  await sql`update event_log set dropped_xid = '8000000000', dropped_id = 5`.execute(db());
  await eventDays.discardForeign(db());
  const lost = await eventLog.readAfter(db(), place, {}, 10).catch((error: unknown) => error);
  if (!(lost instanceof eventLog.LostPlaceError)) throw lost;
  await write(db(), 'after the load');
  await untilVisible(db());
  expect(namesOf(await readAll(db(), lost.oldest))).toContain('after the load');
});

test('a reader that waits for a day’s table misses none of the events that are moved to it', async () => {
  const day = sql`now() + interval '5 days'`;
  await untilVisible(db());
  const start = await eventLog.end(db());
  await write(db(), 'moved', day);
  await untilVisible(db());
  const [made, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const adding = transaction(db(), async (tx) => {
    await eventDays.prepare(tx);
    made.resolve();
    await end.promise;
  });
  await made.promise;
  const reading = eventLog.readAfter(db(), start, {}, 10);
  const waiting = sql`select from pg_locks where not granted and relation in ('events_rest'::regclass, 'events'::regclass)`;
  await eventually(async () => ((await waiting.execute(db())).rows.length > 0 ? true : null), 'the reader waits');
  end.resolve();
  await adding;
  expect(namesOf((await reading).events)).toEqual(['moved']);
});

test('a table of a day takes its events from the default table', async () => {
  const next = sql`now() + interval '3 days'`;
  await write(db(), 'tomorrow', next);
  expect(await eventDays.prepare(db())).toBe(1);
  const { rows } = await sql`select from only events_rest`.execute(db());
  expect(rows).toEqual([]);
  await eventually(async () => ((await eventDays.heldBackSeconds(db())) <= 0 ? true : null), 'nothing is held back');
});
