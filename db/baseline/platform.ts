import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await createPlatform(db);
  await createRateCounters(db);
  await createWalletManifest(db);
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
    create function is_correction() returns boolean language sql stable as
      $$ select coalesce(current_setting('slipway.correction', true), '') = 'on' $$;
    comment on function is_correction is 'Whether this database transaction corrects final rows: see db/money/corrections.ts.';
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

/** Creates an unlogged table: a crash loses a minute of counts, and a count costs no flush. */
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

/**
 * Creates the public list of the platform's own addresses. Numbers are given under a lock that is held until commit, so
 * that they become visible in order and without gaps: a page that was full never changes.
 */
async function createWalletManifest(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table wallet_manifest (
      number integer primary key check (number > 0),
      role text not null,
      address text collate "C" not null,
      mint text collate "C",
      event text not null,
      slot bigint not null check (slot >= 0),
      noted_at timestamptz not null default clock_timestamp(),
      constraint wallet_manifest_role check (role in ('treasury', 'platform', 'rewards', 'restock', 'receipts', 'lane', 'launch', 'pot')),
      constraint wallet_manifest_event check (event in ('used', 'retired'))
    );
    comment on table wallet_manifest is 'Every address that the platform uses, by role, and from which slot on. Append only.';
    comment on column wallet_manifest.mint is 'The coin of a launch wallet or pot; null for all others.';
    comment on column wallet_manifest.event is 'used: has the role from this slot on; retired: no longer has it.';
    create index wallet_manifest_last on wallet_manifest (role, address, coalesce(mint, ''));
    create index wallet_manifest_of_role on wallet_manifest (role, number);
    create trigger wallet_manifest_append_only before update or delete on wallet_manifest
      for each row execute function refuse_change();

    create function note_wallet(its_role text, its_address text, its_mint text, its_event text, its_slot bigint)
    returns void language plpgsql set enable_seqscan = off as $$
    declare last text;
    begin
      perform pg_advisory_xact_lock(hashtext('wallet_manifest'));
      -- Not by walking the numbers backwards, as a plan of the empty table would.
      select event into last from (
        select number, event from wallet_manifest where role = its_role and address = its_address
          and coalesce(mint, '') = coalesce(its_mint, '') offset 0
      ) as own order by number desc limit 1;
      if coalesce(last, 'retired') <> its_event then
        insert into wallet_manifest (number, role, address, mint, event, slot)
        select coalesce(max(number), 0) + 1, its_role, its_address, its_mint, its_event, its_slot from wallet_manifest;
      end if;
    end $$;
    comment on function note_wallet is 'Appends the event unless it is the last one of this address in this role.';
  `.execute(db);
}

/** The extension stays: it may have existed before. */
export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`
    drop function note_wallet;
    drop table wallet_manifest, rate_counters, labelled_wallets, audit_log, switches, environment;
    drop function refuse_change, is_correction;
  `.execute(db);
}
