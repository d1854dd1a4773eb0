import { type Kysely, sql } from 'kysely';

/** Tokens of the platform and their locked positions. */
export async function up(db: Kysely<unknown>): Promise<void> {
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
      mode text not null,
      fee_tier text,
      reward_tax_bps integer,
      pool_fee_percent integer not null,
      status text not null default 'new',
      hidden boolean not null default false,
      links jsonb not null,
      quote_id uuid unique references launches,
      created_at timestamptz not null,
      created_slot bigint not null,
      withdrawn_at timestamptz,
      constraint tokens_fee check (
        (mode = 'standard' and fee_tier in ('1%', '2%') and reward_tax_bps is null)
        or (mode = 'reward' and reward_tax_bps in (100, 300) and fee_tier is null)
      ),
      constraint tokens_pool_fee_percent check (pool_fee_percent in (1, 2)),
      constraint tokens_status check (status in ('new', 'aboutToGraduate', 'graduated'))
    );
    comment on column tokens.hidden is 'Hidden by an admin: absent from lists, search and the asset index, still readable by mint.';
    comment on column tokens.quote_id is 'The launch; null for a token that was not launched here.';
    comment on column tokens.created_at is 'Block time of the launch.';
    comment on column tokens.withdrawn_at is 'The launch was undone by a fork: absent from every read.';
    create index tokens_index on tokens (created_at, mint) where withdrawn_at is null and not hidden;
    create index tokens_unlisted on tokens (quote_id) where hidden or withdrawn_at is not null;
    create index tokens_name_trgm on tokens using gin (lower(name) gin_trgm_ops);
    create index tokens_symbol_trgm on tokens using gin (lower(symbol) gin_trgm_ops);
    create index tokens_quote_mint on tokens (quote_mint, created_at, mint) where withdrawn_at is null and not hidden;

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

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table positions, tokens`.execute(db);
}
