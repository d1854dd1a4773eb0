import { type Kysely, sql } from 'kysely';

/** What the whole platform shares: which chain this database belongs to, switches, decisions, known wallets and rate limits. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createPlatform(db);
  await createRateCounters(db);
}

async function createPlatform(db: Kysely<unknown>): Promise<void> {
  await sql`
    create extension if not exists pg_trgm;

    create table environment (
      singleton boolean primary key default true check (singleton),
      environment text not null,
      genesis_hash text not null,
      claimed_at timestamptz not null default now()
    );
    comment on table environment is 'One row: the environment and chain this database belongs to. Another one is refused.';

    create table switches (
      name text primary key,
      value text not null,
      changed_by text not null,
      changed_at timestamptz not null default now(),
      constraint switches_value check (
        (name in ('launching', 'claiming', 'devBuys', 'airdrops') and value in ('on', 'off'))
        or (name = 'rewardLaunches' and value in ('open', 'admin', 'off'))
      )
    );
    comment on table switches is 'Features an operator can turn off. A feature is available when it is built and switched on.';

    insert into switches (name, value, changed_by) values
      ('launching', 'on', 'migration'),
      ('claiming', 'on', 'migration'),
      ('devBuys', 'off', 'migration'),
      ('airdrops', 'off', 'migration'),
      ('rewardLaunches', 'off', 'migration');

    create table audit_log (
      id bigint generated always as identity primary key,
      at timestamptz not null default now(),
      actor text not null,
      action text not null,
      subject text not null,
      note text,
      details jsonb not null default '{}'
    );
    comment on table audit_log is 'What operators and the platform decided. Append only: a trigger refuses updates and deletes.';
    comment on column audit_log.subject is 'What was acted on, as kind/id, for instance launch/<quote id> or switch/launching.';
    create index audit_log_subject on audit_log (subject, id desc);

    create function refuse_change() returns trigger language plpgsql as $$
    begin
      raise exception '% is append only, % refused', tg_table_name, lower(tg_op) using errcode = 'restrict_violation';
    end $$;
    create trigger audit_log_append_only before update or delete on audit_log
      for each row execute function refuse_change();

    create table labelled_wallets (
      address text collate "C" primary key,
      label text not null,
      note text,
      added_by text not null,
      added_at timestamptz not null default now(),
      constraint labelled_wallets_label check (label in ('exchange', 'custody', 'treasury', 'program'))
    );
    comment on table labelled_wallets is 'Holders of quote tokens that no airdrop goes to; the next holder down gets it instead.';
  `.execute(db);
}

/** Limits that several API processes share. Unlogged: a crash forgets at most a minute of counting, and a count costs no flush. */
async function createRateCounters(db: Kysely<unknown>): Promise<void> {
  await sql`
    create unlogged table rate_counters (
      key text primary key,
      count integer not null,
      ends_at timestamptz not null
    );
    comment on table rate_counters is 'Requests of a client on one limit, within a window that its first request began.';
    create index rate_counters_ended on rate_counters (ends_at);
  `.execute(db);
}

/** Leaves the extension: it may have been there before us. */
export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`
    drop table rate_counters, labelled_wallets, audit_log, switches, environment;
    drop function refuse_change();
  `.execute(db);
}
