import { type Kysely, sql } from 'kysely';

/** Every swap of a launched token, and how far the index of each pool has come. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table swaps (
      signature text collate "C" not null,
      pool text collate "C" not null,
      index integer not null check (index >= 0),
      mint text collate "C" not null references tokens on delete cascade,
      slot bigint not null check (slot >= 0),
      slot_order integer not null default 0,
      block_time timestamptz not null,
      side text not null check (side in ('buy', 'sell')),
      wallet text collate "C" not null,
      base_raw numeric(20, 0) not null check (base_raw >= 0),
      quote_raw numeric(20, 0) not null check (quote_raw >= 0),
      price_quote numeric(60, 30) not null check (price_quote >= 0),
      supply_raw numeric(20, 0) not null default 1000000000000000000,
      quote_usd numeric(50, 20) check (quote_usd > 0),
      price_usd numeric(60, 30) check (price_usd >= 0),
      value_usd numeric(40, 10) check (value_usd >= 0),
      finalized boolean not null default false,
      primary key (signature, pool, index),
      constraint swaps_usd check ((quote_usd is null) = (price_usd is null) and (quote_usd is null) = (value_usd is null))
    );
    comment on column swaps.index is 'Place among the swaps of this pool in the transaction, from 0.';
    comment on column swaps.slot_order is 'Place of the transaction among the pool''s transactions of its slot.';
    comment on column swaps.base_raw is 'Change of the pool''s vault of the launched token, raw units.';
    comment on column swaps.quote_raw is 'Change of the pool''s vault of the quote token, raw units.';
    comment on column swaps.price_quote is 'Whole quote tokens per whole base token right after the swap.';
    comment on column swaps.supply_raw is 'Supply of the mint when the swap was stored, raw units: what its market cap is of.';
    comment on column swaps.quote_usd is 'USD per whole quote token at that moment; null where no price of that time is known.';
    comment on column swaps.value_usd is 'What the quote side was worth at that moment.';
    comment on column swaps.finalized is 'No fork can take it back. Others may be withdrawn.';
    create index swaps_by_slot on swaps (mint, slot desc, signature, index);
    create index swaps_by_time on swaps (mint, block_time) include (value_usd, finalized);
    create index swaps_provisional on swaps (pool, slot) where not finalized;

    create table pool_cursors (
      pool text collate "C" primary key,
      mint text collate "C" not null unique references tokens on delete cascade,
      base_vault text collate "C",
      quote_vault text collate "C",
      seen text collate "C",
      changed_slot bigint,
      finalized_slot bigint not null default 0,
      base_raw numeric(20, 0) not null default 0,
      gap text,
      gap_since timestamptz,
      figures_due_at timestamptz,
      figures_quote_usd numeric(50, 20),
      updated_at timestamptz not null default now(),
      constraint pool_cursors_gap check ((gap is null) = (gap_since is null))
    );
    comment on table pool_cursors is 'How far the swaps of each pool are stored.';
    comment on column pool_cursors.seen is 'Hash (hex) of the pool account as it was last read.';
    comment on column pool_cursors.changed_slot is 'Slot at which a change was seen that the finalized history does not cover yet.';
    comment on column pool_cursors.finalized_slot is 'Every swap up to this slot is stored and final.';
    comment on column pool_cursors.base_raw is 'The base vault''s balance after that slot: where the next transaction must begin.';
    comment on column pool_cursors.gap is 'Why the finalized history does not add up, while it does not.';
    comment on column pool_cursors.figures_due_at is 'When figures change by the passing of time alone.';
    comment on column pool_cursors.figures_quote_usd is 'Price of the quote token that the present figures were computed with.';
    comment on column pool_cursors.updated_at is 'When the pool was launched or last traded.';
    create index pool_cursors_changed on pool_cursors (pool) where changed_slot is not null;
    create index pool_cursors_due on pool_cursors (figures_due_at);
    create index pool_cursors_recent on pool_cursors (updated_at desc);

    insert into pool_cursors (pool, mint) select pool, mint from tokens;
    create function watch_pool() returns trigger language plpgsql as $$
    begin
      insert into pool_cursors (pool, mint) values (new.pool, new.mint) on conflict do nothing;
      return null;
    end $$;
    create trigger watch_pool after insert on tokens for each row execute function watch_pool();
    comment on function watch_pool() is 'No token without a cursor: what the index watches cannot drift from what was launched.';
  `.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`
    drop trigger watch_pool on tokens;
    drop function watch_pool();
    drop table pool_cursors, swaps;
  `.execute(db);
}
