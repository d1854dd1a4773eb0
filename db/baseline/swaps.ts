import { type Kysely, sql } from 'kysely';

/**
 * Stores swaps by month: an old one is removed by dropping its table. Rows are small: a number for pool and token,
 * addresses as bytes, no USD figure that other columns yield. The view `swaps` is readable.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createSwaps(db);
  await createMonths(db);
  await createView(db);
  await createArchives(db);
}

async function createSwaps(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function swap_month(at timestamptz) returns smallint language sql immutable strict parallel safe
      return (12 * extract(year from at at time zone 'UTC') + extract(month from at at time zone 'UTC') - 1)::smallint;
    comment on function swap_month is 'Months since the beginning of year 0, by UTC: 24322 is November 2026.';

    create table market_swaps (
      slot bigint not null check (slot >= 0),
      block_time timestamptz not null,
      pool_number integer not null references pool_cursors (number) on delete cascade,
      slot_order integer not null default 0,
      index smallint not null check (index >= 0),
      month smallint not null check (month = 0 or abs(month - swap_month(block_time)) <= 1),
      is_buy boolean not null,
      signature bytea not null check (octet_length(signature) = 64),
      wallet bytea not null check (octet_length(wallet) = 32),
      base_raw numeric(20, 0) not null check (base_raw >= 0),
      quote_raw numeric(20, 0) not null check (quote_raw >= 0),
      price_quote numeric(60, 30) not null check (price_quote >= 0),
      supply_raw numeric(20, 0) not null default 1000000000000000000,
      quote_usd numeric(50, 20) check (quote_usd > 0)
    ) partition by list (month);
    comment on table market_swaps is 'Swaps as they are kept; swaps shows them. Up to its pool''s finalized_slot they are final, later ones may be withdrawn.';
    comment on column market_swaps.index is 'Place among the swaps of this pool in the transaction, from 0.';
    comment on column market_swaps.slot_order is 'Place of the transaction among the pool''s transactions of its slot.';
    comment on column market_swaps.base_raw is 'Change of the pool''s vault of the launched token, raw units.';
    comment on column market_swaps.quote_raw is 'Change of the pool''s vault of the quote token, raw units.';
    comment on column market_swaps.price_quote is 'Whole quote tokens per whole base token right after the swap.';
    comment on column market_swaps.supply_raw is 'Supply of the mint when the swap was stored, raw units: what its market cap is of.';
    comment on column market_swaps.quote_usd is 'USD per whole quote token at that moment; null where no price of that time is known.';
    comment on column market_swaps.month is 'The month it is stored with, as swap_month counts: that of its time when it was first seen, so that a fork at the turn of a month does not make two of it. 0: the last swap of its pool that was removed with its month.';
    -- A swap is stored once. By fifteen bytes of the signature's hash, because of which an entry takes 40 bytes and not 48.
    create unique index market_swaps_once on market_swaps (pool_number, index, month, substring(sha256(signature) for 15));
    -- The newest trades of a token, in the order of the chain.
    create index market_swaps_newest on market_swaps (pool_number, slot, slot_order);
    create index market_swaps_by_time on market_swaps (pool_number, block_time);
    -- The newest trades of a wallet. By eight bytes of its key: no second key with the same ones can be made.
    create index market_swaps_by_wallet on market_swaps (substring(wallet for 8), slot);
    create table market_swaps_kept partition of market_swaps for values in (0);
    comment on table market_swaps_kept is 'Of each pool the last swap that was removed with its month, and the last with a price in USD: what stood from then on.';
    create table market_swaps_rest partition of market_swaps default;
    comment on table market_swaps_rest is 'Swaps of months that have no table yet.';
  `.execute(db);
}

async function createMonths(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function swap_month_table(month smallint) returns text language sql immutable strict parallel safe
      return format('market_swaps_%s_%s', month / 12, lpad((month % 12 + 1)::text, 2, '0'));
    create function add_swap_month(added smallint) returns void language plpgsql as $$
    declare
      name constant text := swap_month_table(added);
    begin
      lock table only market_swaps in share update exclusive mode;
      if to_regclass(name) is null then
        -- A writer of swaps locks its pools first, and a table of swaps refers to these: the same order of locks.
        lock table pool_cursors in exclusive mode;
        lock table market_swaps_rest in access exclusive mode;
        execute format('create table %I (like market_swaps including all)', name);
        execute format('with moved as (delete from market_swaps_rest where month = %s returning *) insert into %I select * from moved', added, name);
        execute format('alter table market_swaps attach partition %I for values in (%s)', name, added);
      end if;
    end $$;
    comment on function add_swap_month is 'Gives a month its table, with what was stored of it before; nothing where it has one.';
    select add_swap_month(month::smallint) from generate_series(swap_month(now()), swap_month(now()) + 2) as month order by month;
  `.execute(db);
}

/** Creates the view for people and read-only clients. */
async function createView(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function base58(bytes bytea) returns text language plpgsql immutable strict parallel safe as $$
    declare
      digits constant text := '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
      rest numeric := 0;
      written text := '';
    begin
      for i in 0 .. octet_length(bytes) - 1 loop
        rest := rest * 256 + get_byte(bytes, i);
      end loop;
      while rest > 0 loop
        written := substr(digits, mod(rest, 58)::integer + 1, 1) || written;
        rest := div(rest, 58);
      end loop;
      return repeat('1', octet_length(bytes) - octet_length(ltrim(bytes, '\\x00'::bytea))) || written;
    end $$;

    create view swaps as
      select base58(swap.signature) collate "C" as signature, cursor.pool, swap.index::integer as index, cursor.mint, swap.slot,
        swap.slot_order, swap.block_time, case when swap.is_buy then 'buy' else 'sell' end as side,
        base58(swap.wallet) collate "C" as wallet, swap.base_raw, swap.quote_raw, swap.price_quote, swap.supply_raw, swap.quote_usd,
        round(swap.price_quote * swap.quote_usd, 30) as price_usd,
        round(swap.quote_raw * swap.quote_usd * (array[1, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12, 1e-13, 1e-14, 1e-15, 1e-16, 1e-17, 1e-18, 1e-19])[pairs.decimals + 1], 10) as value_usd,
        swap.slot <= cursor.finalized_slot as finalized, swap.pool_number, swap.signature as signature_bytes,
        swap.wallet as wallet_bytes, swap.month
      from market_swaps as swap join pool_cursors as cursor on cursor.number = swap.pool_number
      left join tokens on tokens.mint = cursor.mint left join pairs on pairs.mint = tokens.quote_mint;
    comment on view swaps is 'What is stored of swaps and what follows from it: addresses in base58, what tokens were worth in USD, and whether it is final.';
  `.execute(db);
}

async function createArchives(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table swap_archives (
      number integer generated always as identity primary key,
      month smallint not null,
      file text not null,
      swaps bigint not null check (swaps >= 0),
      sha256 text not null,
      until_slot bigint not null check (until_slot >= 0),
      written_at timestamptz not null default now(),
      removed_at timestamptz,
      changes bigint not null default 0
    );
    comment on table swap_archives is 'Files that months of swaps were written to; removed_at says when the month was removed after that.';
    comment on column swap_archives.sha256 is 'Of the lines in the file, in hex.';
    comment on column swap_archives.until_slot is 'The newest swap of the month.';
    comment on column swap_archives.changes is 'What swap_month_changes said when the month was read.';

    create table swap_month_changes (
      month smallint primary key,
      changes bigint not null default 0,
      changed_by bigint
    );
    comment on table swap_month_changes is 'Months that were written to a file, and how often swaps of them were written or removed since the first time.';
    comment on column swap_month_changes.changed_by is 'The database transaction that counted last: each counts once.';
    create function note_swap_change() returns trigger language plpgsql as $$
    begin
      update swap_month_changes set changes = changes + 1, changed_by = pg_current_xact_id()::text::bigint
      where month = tg_argv[0]::smallint and changed_by is distinct from pg_current_xact_id()::text::bigint;
      return null;
    end $$;
    comment on function note_swap_change is 'A trigger of the table of a month that was written to a file.';
  `.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`
    drop table swap_month_changes, swap_archives;
    drop view swaps;
    drop table market_swaps;
    drop function note_swap_change, base58, add_swap_month, swap_month_table, swap_month;
  `.execute(db);
}
