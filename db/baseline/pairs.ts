import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table pair_categories (
      name text primary key,
      retired boolean not null default false
    );
    comment on column pair_categories.retired is 'No new launch may pair with a token of a retired category.';

    create table pairs (
      mint text collate "C" primary key,
      symbol text not null,
      name text not null,
      decimals integer not null check (decimals between 0 and 19),
      token_program text collate "C" not null,
      category text not null references pair_categories (name),
      logo_url text,
      status text not null default 'active',
      price_source text not null,
      price_source_id text not null,
      price_max_age_ms integer not null check (price_max_age_ms > 0),
      price_max_confidence_bps integer not null check (price_max_confidence_bps between 0 and 10000),
      added_at timestamptz not null default now(),
      retired_at timestamptz,
      symbol_skeleton text collate "C" not null default '',
      name_skeleton text collate "C" not null default '',
      constraint pairs_status check (status in ('active', 'retired')),
      constraint pairs_price_source check (price_source in ('fixed', 'pyth', 'jupiter')),
      constraint pairs_retired_at check ((status = 'retired') = (retired_at is not null))
    );
    comment on column pairs.symbol_skeleton is 'What the symbol looks like (domain/look-alike.ts); empty: it looks like none.';
    comment on column pairs.price_source_id is 'Name of the price at its source: a Pyth feed id, or the mint.';
    comment on column pairs.price_max_age_ms is 'An older price is no price.';
    comment on column pairs.price_max_confidence_bps is 'A price whose confidence interval is wider than this share of it is no price.';
    create index pairs_category on pairs (category);

    create table price_observations (
      id bigint generated always as identity primary key,
      mint text collate "C" not null,
      usd numeric(50, 20) not null check (usd > 0),
      source text not null,
      observed_at timestamptz not null,
      recorded_at timestamptz not null default now()
    );
    comment on table price_observations is 'USD price of one whole token as a source gave it. Written with the plan that uses it.';
    comment on column price_observations.observed_at is 'The time the source puts on the price.';
    create index price_observations_latest on price_observations (mint, observed_at desc, id desc);
  `.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table price_observations, pairs, pair_categories`.execute(db);
}
