import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await createAddresses(db);
  await createLaunches(db);
  await createParts(db);
  await createUncharged(db);
  await createReceipts(db);
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
      mint_suffix text collate "C",
      created_at timestamptz not null default now(),
      taken_at timestamptz,
      constraint mint_ends_in_mint_suffix check (right(mint, length(mint_suffix)) = mint_suffix)
    );
    comment on table launch_addresses is 'Public addresses derived for launches ahead of time, so that the API needs no seed. Each row is taken once and never returned.';
    comment on column launch_addresses.mint_suffix is 'Letters that the worker searched this mint for (LAUNCH_MINT_SUFFIX); null: any mint.';
    create index launch_addresses_free on launch_addresses ((mint_suffix is null), created_at, quote_id) where taken_at is null;
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
      client_network text collate "C",
      files_stored_at timestamptz,
      empty_tries integer not null default 0,
      empty_after timestamptz not null default now(),
      receipt_after timestamptz not null default now(),
      receipted_at timestamptz,
      constraint launches_state check (state in (
        'received', 'preparing', 'landing', 'resuming', 'recording', 'completed', 'finalized',
        'needs_recovery', 'refunding', 'refunded', 'not_landed'
      )),
      constraint launches_mode check (mode in ('standard', 'reward')),
      constraint launches_completed check (
        state not in ('completed', 'finalized')
        or (payment_signature is not null and launched_at is not null and completed_at is not null)
      ),
      constraint launches_refunded check (
        state <> 'refunded' or (payment_signature is not null and refund_signature is not null)
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
    comment on column launches.client_network is 'IPv6 /48 that submitted it, null for IPv4; kept as long as client.';
    comment on column launches.files_stored_at is 'When storing logo and metadata for ever began; null before.';
    comment on column launches.empty_tries is 'How often emptying its wallet was begun.';
    comment on column launches.empty_after is 'When emptying it is due; later with each try.';
    comment on column launches.receipt_after is 'When its receipt is tried, once the launch is settled; later with each try.';
    comment on column launches.receipted_at is 'When its receipt was signed, or refused; no later try follows.';
    create index launches_newest on launches (submitted_at desc, quote_id desc);
    create index launches_ledger on launches (launched_at desc, quote_id desc) where state in ('completed', 'finalized');
    create index launches_ledger_by_creator on launches (creator, launched_at desc, quote_id desc)
      where state in ('completed', 'finalized');
    create index launches_ledger_by_mode on launches (mode, launched_at desc, quote_id desc)
      where state in ('completed', 'finalized');
    create index launches_parked on launches (quote_id) where state = 'needs_recovery';
    create index launches_not_landed on launches (updated_at) where state = 'not_landed';
    create index launches_unemptied on launches (empty_after) where state = 'finalized' and emptied_at is null;
    create index launches_unreceipted on launches (receipt_after)
      where receipted_at is null and state in ('finalized', 'refunded', 'not_landed');
    create index launches_open on launches (updated_at, quote_id) where state not in ('finalized', 'refunded', 'not_landed');
    create index launches_unpaid_by_creator on launches (creator) where state in ('received', 'preparing', 'landing');
    create index launches_unpaid_by_client on launches (client) where client is not null;
    create index launches_unpaid_by_client_network on launches (client_network) where client_network is not null;
    create index launches_unpaid on launches (quote_id) where state in ('received', 'preparing', 'landing');
    create index launches_sold on launches (quote_mint, completed_at)
      where state in ('completed', 'finalized') and terms ->> 'devBuy' is not null;
  `.execute(db);
  for (const from of ['creator', 'client', 'client_network']) {
    await sql`
      create index ${sql.id(`launches_unpaid_files_by_${from}`)} on launches (${sql.id(from)}, files_stored_at)
        where state in ('preparing', 'landing', 'not_landed')
    `.execute(db);
  }
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

async function createUncharged(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table late_quotes (
      signature text collate "C" primary key,
      quote_id uuid not null,
      client text collate "C",
      wire bytea not null,
      blockhash_slot bigint not null,
      last_valid_block_height bigint not null,
      refused_at timestamptz not null default now(),
      receipt_after timestamptz not null default now(),
      receipted_at timestamptz
    );
    comment on table late_quotes is 'Quotes that were submitted too late and that no launch had begun: while a row is there, its quote is refused. Kept for a day.';
    comment on column late_quotes.wire is 'The payment as the creator signed it.';
    comment on column late_quotes.last_valid_block_height is 'Of its blockhash by the quote; nothing is signed before the chain confirms it.';
    comment on column late_quotes.receipted_at is 'When its receipt was signed, or refused; no later try follows.';
    comment on column late_quotes.client is 'Network address that submitted it, an IPv6 one as its /64.';
    create index late_quotes_quote on late_quotes (quote_id);
    create index late_quotes_refused on late_quotes (refused_at);
    create index late_quotes_client on late_quotes (client, refused_at);
    create index late_quotes_unreceipted on late_quotes (receipt_after) where receipted_at is null;

    create table uncharged_looks (
      age_seconds integer primary key,
      ended_at timestamptz not null,
      quote_id uuid not null
    );
    comment on table uncharged_looks is 'How far the comparison of books and chain has come with launches that came to nothing, for each age at which it compares them.';
  `.execute(db);
}

async function createReceipts(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table receipts (
      quote_id uuid primary key,
      kind text not null,
      jws text not null,
      digest text collate "C" not null unique check (digest ~ '^[0-9a-f]{64}$'),
      log_number integer,
      signed_at timestamptz not null default now(),
      constraint receipts_kind check (kind in ('completed', 'notCharged', 'refunded'))
    );
    comment on table receipts is 'Signed statements of what became of a quote; one for each, never changed.';
    comment on column receipts.digest is 'sha256 of the JWS, hex.';
    comment on column receipts.log_number is 'The log that lists it; null before.';
    create index receipts_unlogged on receipts (signed_at) where log_number is null;
    create index receipts_logged on receipts (log_number) where log_number is not null;
    create index receipts_not_charged on receipts (signed_at) where kind = 'notCharged';
  `.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table receipts, uncharged_looks, late_quotes, launch_state_history, launch_signatures, launch_logos, launches, launch_addresses`.execute(
    db,
  );
}
