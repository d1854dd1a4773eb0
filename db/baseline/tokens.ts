import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await createTokens(db);
  await numberTokens(db);
  await createPositions(db);
  await noteLaunchWallets(db);
}

async function createTokens(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table tokens (
      mint text collate "C" primary key,
      name text not null,
      symbol text not null,
      decimals integer not null check (decimals between 0 and 19),
      logo_url text not null,
      metadata_uri text not null,
      url text not null,
      pool text collate "C" not null unique,
      quote_mint text collate "C" not null,
      quote_symbol text not null,
      creator text collate "C" not null,
      fee_recipient text collate "C",
      mode text not null,
      fee_tier text,
      reward_tax_bps integer,
      pool_fee_percent integer not null,
      hidden boolean not null default false,
      links jsonb not null,
      quote_id uuid unique references launches,
      created_at timestamptz not null,
      created_slot bigint not null,
      withdrawn_at timestamptz,
      listing_number bigint not null,
      symbol_skeleton text collate "C" not null default '',
      name_skeleton text collate "C" not null default '',
      constraint tokens_fee check (
        (mode = 'standard' and fee_tier in ('1%', '2%') and reward_tax_bps is null)
        or (mode = 'reward' and reward_tax_bps in (100, 300) and fee_tier is null)
      ),
      constraint tokens_pool_fee_percent check (pool_fee_percent in (1, 2))
    );
    comment on column tokens.fee_recipient is 'Wallet that the launch named to get the Fee Key; null: the creator got it.';
    comment on column tokens.hidden is 'Hidden by an admin: absent from lists, search and the asset index, still readable by mint.';
    comment on column tokens.quote_id is 'The launch; null for a token that was not launched here.';
    comment on column tokens.created_at is 'Block time of the launch.';
    comment on column tokens.withdrawn_at is 'The launch was undone by a fork: absent from every read.';
    comment on column tokens.listing_number is 'Order in which tokens became visible; order of the asset index.';
    comment on column tokens.symbol_skeleton is 'What the symbol looks like (domain/look-alike.ts); empty: it looks like none.';
    comment on column tokens.name_skeleton is 'What the name looks like.';
    create index tokens_symbol_skeleton on tokens (symbol_skeleton, created_at)
      where symbol_skeleton <> '' and withdrawn_at is null and not hidden;
    create index tokens_name_skeleton on tokens (name_skeleton, created_at)
      where name_skeleton <> '' and withdrawn_at is null and not hidden;
    create unique index tokens_index on tokens (listing_number) where withdrawn_at is null and not hidden;
    create index tokens_of_creator on tokens (creator, listing_number) where mode = 'standard' and withdrawn_at is null;
    create index tokens_of_fee_recipient on tokens (fee_recipient, listing_number)
      where fee_recipient is not null and mode = 'standard' and withdrawn_at is null;
    create index tokens_unlisted on tokens (quote_id) where hidden or withdrawn_at is not null;
  `.execute(db);
}

/**
 * A launch of an earlier block may be recorded later, and a client that pages from the oldest must find new tokens at
 * the end. So each token gets the next number under a lock held until it is visible; one that a fork removed and that
 * landed again a new one.
 */
async function numberTokens(db: Kysely<unknown>): Promise<void> {
  await sql`
    create sequence token_listing_numbers;

    create function number_token() returns trigger language plpgsql as $$
    begin
      perform pg_advisory_xact_lock(hashtext('token_listing_numbers'));
      new.listing_number := nextval('token_listing_numbers');
      return new;
    end $$;
    create trigger tokens_number before insert on tokens for each row execute function number_token();
    create trigger tokens_number_again before update of withdrawn_at on tokens
      for each row when (old.withdrawn_at is not null and new.withdrawn_at is null) execute function number_token();
  `.execute(db);
}

async function createPositions(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table positions (
      mint text collate "C" not null references tokens on delete cascade,
      index integer not null check (index in (1, 2)),
      position_mint text collate "C" not null unique,
      fee_key_mint text collate "C" not null unique,
      holder text not null,
      share_bps integer not null check (share_bps between 1 and 10000),
      liquidity numeric(39, 0) not null check (liquidity > 0),
      tick_lower integer not null,
      tick_upper integer not null,
      locked_signature text collate "C" not null,
      primary key (mint, index),
      constraint positions_holder check (holder in ('creator', 'platform', 'rewards')),
      constraint positions_ticks check (tick_lower < tick_upper)
    );
    comment on table positions is 'The two locked positions of a launch.';
    comment on column positions.holder is 'Who got the Fee Key at launch; a Fee Key can change hands on the chain.';
    comment on column positions.share_bps is 'Share of the deposited supply, in bps.';
    comment on column positions.locked_signature is 'Signature of the transaction that locked it.';
  `.execute(db);
}

async function noteLaunchWallets(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function note_launch_wallet() returns trigger language plpgsql as $$
    begin
      perform note_wallet('launch', launch_wallet, new.mint, 'used', new.created_slot)
      from (select terms #>> '{addresses,launchWallet}' as launch_wallet from launches where quote_id = new.quote_id) as launch
      where launch_wallet is not null;
      return null;
    end $$;
    create trigger tokens_note_launch_wallet after insert on tokens for each row execute function note_launch_wallet();
  `.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`
    drop table positions, tokens;
    drop sequence token_listing_numbers;
    drop function number_token, note_launch_wallet;
  `.execute(db);
}
