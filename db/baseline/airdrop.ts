import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await createTables(db);
  await keepInStep(db);
}

async function createTables(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table recipient_sets (
      hash text collate "C" primary key,
      document bytea not null,
      keep_until timestamptz not null,
      constraint recipient_sets_hash check (hash = encode(sha256(document), 'hex'))
    );
    comment on table recipient_sets is 'Recipients that a quote was sealed with, under the sha256 of their document.';
    comment on column recipient_sets.keep_until is 'Five minutes after a quote was sealed with it, a month after a launch was submitted with it, for ever once it is delivered to.';
    create index recipient_sets_expiry on recipient_sets (keep_until);

    create table airdrops (
      quote_id uuid primary key references launches on delete cascade,
      mint text collate "C" not null unique,
      share_raw numeric(39, 0) not null check (share_raw > 0),
      recipients_hash text collate "C" not null references recipient_sets,
      recipients_uri text not null,
      planned_at timestamptz not null default now(),
      tries integer not null default 0,
      tried_at timestamptz,
      problem text,
      delivered_at timestamptz,
      delivered_raw numeric(39, 0) not null default 0,
      sealed_root text collate "C" references proof_documents,
      seal_signature text collate "C",
      seal_slot bigint,
      constraint airdrops_seal check (
        (seal_signature is null) = (seal_slot is null) and (seal_signature is null or sealed_root is not null)
      ),
      constraint airdrops_problem check (delivered_at is null or problem is null)
    );
    comment on column airdrops.recipients_uri is 'Where the recipients'' document lies for ever.';
    comment on column airdrops.tries is 'How often the delivery was begun.';
    comment on column airdrops.problem is 'Why the last try did not deliver everything.';
    comment on column airdrops.delivered_raw is 'Sum of the shares of delivered batches, raw units before the transfer tax; kept by a trigger.';
    comment on column airdrops.sealed_root is 'The airdrop''s document: recipients and amounts as they are sealed on the chain before the first batch is signed.';
    comment on column airdrops.seal_signature is 'The final transaction that seals it; null before.';
    create index airdrops_open on airdrops (planned_at, quote_id) where delivered_at is null;
    create index airdrops_of_set on airdrops (recipients_hash);

    create table airdrop_batches (
      quote_id uuid not null references airdrops on delete cascade,
      batch integer not null check (batch > 0),
      signature text collate "C",
      slot bigint,
      delivered_at timestamptz,
      primary key (quote_id, batch),
      constraint airdrop_batches_delivered check (
        (delivered_at is null) = (signature is null) and (delivered_at is null) = (slot is null)
      )
    );
    comment on table airdrop_batches is 'The transactions of a delivery; one without a signature is not finalized yet.';
    create index airdrop_batches_open on airdrop_batches (quote_id, batch) where delivered_at is null;

    create table airdrop_shares (
      quote_id uuid not null,
      position integer not null check (position >= 0),
      wallet text collate "C" not null,
      amount_raw numeric(39, 0) not null check (amount_raw > 0),
      batch integer not null,
      primary key (quote_id, position),
      unique (quote_id, wallet),
      foreign key (quote_id, batch) references airdrop_batches on delete cascade
    );
    comment on table airdrop_shares is 'Who gets how much, and which transaction brings it; written before the first one is signed.';
    create index airdrop_shares_of_batch on airdrop_shares (quote_id, batch, position);
  `.execute(db);
}

/** `token_markets` is of the market, which is made later. */
async function keepInStep(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function add_delivered_airdrop() returns trigger language plpgsql as $$
    begin
      update airdrops set delivered_raw = delivered_raw + (
        select coalesce(sum(amount_raw), 0) from airdrop_shares
        where airdrop_shares.quote_id = new.quote_id and airdrop_shares.batch = new.batch
      ) where quote_id = new.quote_id;
      return null;
    end $$;
    create trigger airdrop_batches_delivered after update of delivered_at on airdrop_batches
      for each row when (old.delivered_at is null and new.delivered_at is not null)
      execute function add_delivered_airdrop();

    create function flag_airdrop() returns trigger language plpgsql as $$
    begin
      update token_markets set has_airdrop = true where mint = new.mint;
      return null;
    end $$;
    create trigger airdrops_flag_token after insert on airdrops for each row execute function flag_airdrop();
  `.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`
    drop table airdrop_shares, airdrop_batches, airdrops, recipient_sets;
    drop function flag_airdrop, add_delivered_airdrop;
  `.execute(db);
}
