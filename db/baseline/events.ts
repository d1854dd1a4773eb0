import { type Kysely, sql } from 'kysely';
import * as facts from './event-facts.ts';
import * as trades from './event-trades.ts';

/**
 * Triggers write events in the database transaction of the fact: no writer forgets one, and no event is without its
 * fact. Readers see an event once every older transaction has ended: see db/events/event-log.ts.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createEvents(db);
  await createDays(db);
  await createLog(db);
  await facts.up(db);
  await trades.up(db);
}

async function createEvents(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function event_day(at timestamptz) returns integer language sql immutable strict parallel safe
      return floor(extract(epoch from at) / 86400)::integer;
    comment on function event_day is 'UTC days since 1970-01-01.';

    create sequence event_ids;
    create table events (
      xid xid8 not null default pg_current_xact_id(),
      id bigint not null default nextval('event_ids'),
      day integer not null default event_day(now()),
      at timestamptz not null default now(),
      type text collate "C" not null,
      mint text collate "C",
      wallet text collate "C",
      creator text collate "C",
      body jsonb not null,
      primary key (xid, id, day)
    ) partition by list (day);
    comment on table events is 'What happened, in the order of (xid, id). Triggers write it in the transaction of the fact.';
    comment on column events.xid is 'Transaction that wrote it. Readers wait until no older transaction is open.';
    comment on column events.day is 'UTC day of that transaction''s start: its partition.';
    comment on column events.wallet is 'Whom it is about: trader, holder, claimant, creator of a launch.';
    comment on column events.creator is 'Creator of the token.';
    comment on column events.body is 'Facts of its type; amounts are raw units as text.';
    -- Each serves one filter. The primary key serves readers without one.
    create index events_of_type on events (type, xid, id);
    create index events_of_mint on events (mint, xid, id) where mint is not null;
    create index events_of_wallet on events (wallet, xid, id) where wallet is not null;
    create index events_of_creator on events (creator, xid, id) where creator is not null;
    create table events_rest partition of events default;
    comment on table events_rest is 'Events of days that have no table yet.';
  `.execute(db);
}

async function createDays(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function event_day_table(day integer) returns text language sql immutable strict parallel safe
      return 'events_' || to_char(date '1970-01-01' + day, 'YYYY_MM_DD');
    create function add_event_day(added integer) returns void language plpgsql as $$
    declare
      name constant text := event_day_table(added);
    begin
      lock table only events in share update exclusive mode;
      if to_regclass(name) is null then
        lock table events_rest in access exclusive mode;
        execute format('create table %I (like events including all)', name);
        execute format('with moved as (delete from events_rest where day = %s returning *) insert into %I select * from moved', added, name);
        execute format('alter table events attach partition %I for values in (%s)', name, added);
      end if;
    end $$;
    comment on function add_event_day is 'Creates the table of a day and moves its stored events there; nothing if it exists.';
    select add_event_day(day) from generate_series(event_day(now()), event_day(now()) + 2) as day order by day;
  `.execute(db);
}

async function createLog(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table event_log (
      is_only boolean primary key default true check (is_only),
      generation integer not null default 1 check (generation > 0),
      dropped_xid xid8 not null default '0',
      dropped_id bigint not null default 0
    );
    comment on table event_log is 'One row: what makes a cursor of the events too old.';
    comment on column event_log.generation is 'Raised after a restore: cursors of another generation name another history.';
    comment on column event_log.dropped_xid is 'The last event that was dropped with its day; cursors before it may have missed some.';
    insert into event_log default values;
  `.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await trades.down(db);
  await facts.down(db);
  await sql`
    drop table event_log, events;
    drop sequence event_ids;
    drop function add_event_day, event_day_table, event_day;
  `.execute(db);
}
