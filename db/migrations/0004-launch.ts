import { type Kysely, sql } from 'kysely';

/** A launch from the address it was derived for to its final state. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createAddresses(db);
  await createLaunches(db);
  await createParts(db);
}

async function createAddresses(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table launch_addresses (
      quote_id uuid primary key,
      seed_id text not null,
      genesis_hash text not null,
      launch_wallet text collate "C" not null unique,
      mint text collate "C" not null unique,
      position_mints text[] collate "C" not null check (array_length(position_mints, 1) = 2),
      fee_key_mints text[] collate "C" not null check (array_length(fee_key_mints, 1) = 2),
      created_at timestamptz not null default now(),
      taken_at timestamptz
    );
    comment on table launch_addresses is 'Public addresses derived for launches ahead of time, so that the API needs no seed. Each row is taken once and never returned.';
    create index launch_addresses_free on launch_addresses (created_at, quote_id) where taken_at is null;
    create index launch_addresses_taken on launch_addresses (taken_at) where taken_at is not null;
  `.execute(db);
}

async function createLaunches(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table launches (
      quote_id uuid primary key,
      terms jsonb not null,
      state text not null,
      reason text,
      blocked_reason text,
      seed_id text not null,
      creator text collate "C" not null,
      mint text collate "C" not null unique,
      mode text not null,
      quote_mint text collate "C" not null,
      name text not null,
      symbol text not null,
      payment_lamports numeric(20, 0) not null check (payment_lamports >= 0),
      submitted_signature text collate "C" not null,
      submitted_wire bytea not null,
      payment_signature text collate "C",
      refund_signature text collate "C",
      slot bigint,
      submitted_at timestamptz not null default now(),
      launched_at timestamptz,
      completed_at timestamptz,
      finalized_at timestamptz,
      emptied_at timestamptz,
      updated_at timestamptz not null default now(),
      client text collate "C",
      empty_tries integer not null default 0,
      empty_after timestamptz not null default now(),
      constraint launches_state check (state in (
        'received', 'preparing', 'landing', 'resuming', 'recording', 'completed', 'finalized',
        'needs_recovery', 'refunding', 'refunded', 'not_landed'
      )),
      constraint launches_mode check (mode in ('standard', 'reward')),
      constraint launches_completed check (
        state not in ('completed', 'finalized')
        or (payment_signature is not null and launched_at is not null and completed_at is not null)
      )
    );
    comment on column launches.terms is 'The sealed quote: everything the launch is executed from.';
    comment on column launches.reason is 'Why the launch ended as it did, for people.';
    comment on column launches.blocked_reason is 'What an operator has to decide; set only while needs_recovery.';
    comment on column launches.submitted_signature is 'Creator''s signature of the first payment that was submitted.';
    comment on column launches.submitted_wire is 'That payment as the creator signed it; the platform''s signature is not in it.';
    comment on column launches.payment_signature is 'Signature of the payment that landed; null while none did.';
    comment on column launches.emptied_at is 'When what was left in the launch wallet went to the platform.';
    comment on column launches.slot is 'Slot of the last transition that happened on the chain.';
    comment on column launches.launched_at is 'Block time of the launch; order of the ledger.';
    comment on column launches.client is 'Network address that submitted it, an IPv6 one as its /64; only while it is unpaid.';
    comment on column launches.empty_tries is 'How often emptying its wallet was begun.';
    comment on column launches.empty_after is 'When emptying it is due; later with each try.';
    create index launches_newest on launches (submitted_at desc, quote_id desc);
    create index launches_ledger on launches (launched_at desc, quote_id desc) where state in ('completed', 'finalized');
    create index launches_ledger_by_creator on launches (creator, launched_at desc, quote_id desc)
      where state in ('completed', 'finalized');
    create index launches_ledger_by_mode on launches (mode, launched_at desc, quote_id desc)
      where state in ('completed', 'finalized');
    create index launches_parked on launches (quote_id) where state = 'needs_recovery';
    create index launches_not_landed on launches (updated_at) where state = 'not_landed';
    create index launches_unemptied on launches (empty_after) where state = 'finalized' and emptied_at is null;
    create index launches_open on launches (updated_at, quote_id) where state not in ('finalized', 'refunded', 'not_landed');
    create index launches_unpaid_by_creator on launches (creator) where state in ('received', 'preparing', 'landing');
    create index launches_unpaid_by_client on launches (client) where client is not null;
  `.execute(db);
}

async function createParts(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table launch_logos (
      quote_id uuid primary key references launches on delete cascade,
      content_type text not null,
      bytes bytea not null
    );
    comment on table launch_logos is 'Logo bytes, kept only until the launch is settled: by then they are stored permanently or never will be.';

    create table launch_signatures (
      signature text collate "C" primary key,
      quote_id uuid not null references launches on delete cascade,
      kind text not null,
      added_at timestamptz not null default now(),
      constraint launch_signatures_kind check (kind in ('submitted', 'alias', 'landed'))
    );
    comment on table launch_signatures is 'Every payment signature seen for a launch; the same message can be signed more than once.';
    create index launch_signatures_quote on launch_signatures (quote_id);
    create unique index launch_signatures_one_landed on launch_signatures (quote_id) where kind = 'landed';

    create table launch_state_history (
      id bigint generated always as identity primary key,
      quote_id uuid not null references launches on delete cascade,
      state text not null,
      slot bigint,
      at timestamptz not null default now(),
      note text
    );
    create index launch_state_history_quote on launch_state_history (quote_id, id);
  `.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table launch_state_history, launch_signatures, launch_logos, launches, launch_addresses`.execute(db);
}
