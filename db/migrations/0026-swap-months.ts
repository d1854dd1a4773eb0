import { type Kysely, sql } from 'kysely';

const TABLE = `
  slot bigint not null check (slot >= 0),
  block_time timestamptz not null,
  pool_number integer not null references pool_cursors (number) on delete cascade,
  slot_order integer not null default 0,
  index smallint not null check (index >= 0)`;

const REST = `
  is_buy boolean not null,
  signature bytea not null check (octet_length(signature) = 64),
  wallet bytea not null check (octet_length(wallet) = 32),
  base_raw numeric(20, 0) not null check (base_raw >= 0),
  quote_raw numeric(20, 0) not null check (quote_raw >= 0),
  price_quote numeric(60, 30) not null check (price_quote >= 0),
  supply_raw numeric(20, 0) not null default 1000000000000000000,
  quote_usd numeric(50, 20) check (quote_usd > 0)`;

const COLUMNS = `slot, block_time, pool_number, slot_order, index, is_buy, signature, wallet, base_raw, quote_raw, price_quote,
  supply_raw, quote_usd`;

const MEANINGS = `
  comment on table market_swaps is 'Swaps as they are kept; swaps shows them. Up to its pool''s finalized_slot they are final, later ones may be withdrawn.';
  comment on column market_swaps.index is 'Place among the swaps of this pool in the transaction, from 0.';
  comment on column market_swaps.slot_order is 'Place of the transaction among the pool''s transactions of its slot.';
  comment on column market_swaps.base_raw is 'Change of the pool''s vault of the launched token, raw units.';
  comment on column market_swaps.quote_raw is 'Change of the pool''s vault of the quote token, raw units.';
  comment on column market_swaps.price_quote is 'Whole quote tokens per whole base token right after the swap.';
  comment on column market_swaps.supply_raw is 'Supply of the mint when the swap was stored, raw units: what its market cap is of.';
  comment on column market_swaps.quote_usd is 'USD per whole quote token at that moment; null where no price of that time is known.';`;

/** The view of swaps, with what it shows besides. */
function view(month: string): string {
  return `
    create view swaps as
      select base58(swap.signature) collate "C" as signature, cursor.pool, swap.index::integer as index, cursor.mint, swap.slot,
        swap.slot_order, swap.block_time, case when swap.is_buy then 'buy' else 'sell' end as side,
        base58(swap.wallet) collate "C" as wallet, swap.base_raw, swap.quote_raw, swap.price_quote, swap.supply_raw, swap.quote_usd,
        round(swap.price_quote * swap.quote_usd, 30) as price_usd,
        round(swap.quote_raw * swap.quote_usd * (array[1, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12, 1e-13, 1e-14, 1e-15, 1e-16, 1e-17, 1e-18, 1e-19])[pairs.decimals + 1], 10) as value_usd,
        swap.slot <= cursor.finalized_slot as finalized, swap.pool_number, swap.signature as signature_bytes,
        swap.wallet as wallet_bytes${month}
      from market_swaps as swap join pool_cursors as cursor on cursor.number = swap.pool_number
      left join tokens on tokens.mint = cursor.mint left join pairs on pairs.mint = tokens.quote_mint;
    comment on view swaps is 'What is stored of swaps and what follows from it: addresses in base58, what tokens were worth in USD, and whether it is final.';`;
}

/**
 * Swaps by the months they happened in, each a table of its own, so that an old month is removed by dropping it. A release before
 * can not store swaps meanwhile, and loses none, because the next one reads them from the chain.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
    create function swap_month(at timestamptz) returns smallint language sql immutable strict parallel safe
      return (12 * extract(year from at at time zone 'UTC') + extract(month from at at time zone 'UTC') - 1)::smallint;
    comment on function swap_month is 'Months since the beginning of year 0, by UTC: 24322 is November 2026.';

    drop view swaps;
    alter table market_swaps rename to whole_swaps;
    alter index market_swaps_once rename to whole_swaps_once;
    alter index market_swaps_newest rename to whole_swaps_newest;
    alter index market_swaps_by_time rename to whole_swaps_by_time;
    create table market_swaps (${TABLE},
      month smallint not null check (month = 0 or abs(month - swap_month(block_time)) <= 1),${REST}
    ) partition by list (month);
    ${MEANINGS}
    comment on column market_swaps.month is 'The month it is stored with, as swap_month counts: that of its time when it was first seen, so that a fork at the turn of a month does not make two of it. 0: the last swap of its pool that was removed with its month.';
    -- A swap is stored once. By fifteen bytes of the signature's hash, because of which an entry takes 40 bytes and not 48.
    create unique index market_swaps_once on market_swaps (pool_number, index, month, substring(sha256(signature) for 15));
    -- The newest trades of a token, in the order of the chain.
    create index market_swaps_newest on market_swaps (pool_number, slot, slot_order);
    create index market_swaps_by_time on market_swaps (pool_number, block_time);
    create table market_swaps_kept partition of market_swaps for values in (0);
    comment on table market_swaps_kept is 'Of each pool the last swap that was removed with its month: the price that stood from then on.';
    create table market_swaps_rest partition of market_swaps default;
    comment on table market_swaps_rest is 'Swaps of months that have no table yet.';

    create function swap_month_table(month smallint) returns text language sql immutable strict parallel safe
      return format('market_swaps_%s_%s', month / 12, lpad((month % 12 + 1)::text, 2, '0'));
    create function add_swap_month(added smallint) returns void language plpgsql as $$
    declare
      name constant text := swap_month_table(added);
    begin
      lock table only market_swaps in share update exclusive mode;
      if to_regclass(name) is null then
        lock table market_swaps_rest in access exclusive mode;
        execute format('create table %I (like market_swaps including all)', name);
        execute format('with moved as (delete from market_swaps_rest where month = %s returning *) insert into %I select * from moved', added, name);
        execute format('alter table market_swaps attach partition %I for values in (%s)', name, added);
      end if;
    end $$;
    comment on function add_swap_month is 'Gives a month its table, with what was stored of it before; nothing where it has one.';

    insert into market_swaps (${COLUMNS}, month) select ${COLUMNS}, swap_month(block_time) from whole_swaps order by slot, slot_order, index;
    drop table whole_swaps;
    do $$
    declare
      wanted smallint;
    begin
      for wanted in select distinct month from market_swaps_rest union
        select swap_month(now() + make_interval(months => ahead)) from generate_series(0, 2) as ahead order by 1
      loop
        perform add_swap_month(wanted);
      end loop;
    end $$;
    analyze market_swaps;

    create table swap_archives (
      month smallint primary key,
      file text not null,
      swaps bigint not null check (swaps >= 0),
      sha256 text not null,
      until_slot bigint not null check (until_slot >= 0),
      written_at timestamptz not null default now(),
      removed_at timestamptz
    );
    comment on table swap_archives is 'Months whose swaps were written to a file, and were removed after that where removed_at says so.';
    comment on column swap_archives.sha256 is 'Of the lines in the file, in hex.';
    comment on column swap_archives.until_slot is 'The newest swap of the month.';
    ${view(', swap.month')}`,
    )
    .execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
    drop view swaps;
    drop table swap_archives;
    alter table market_swaps rename to monthly_swaps;
    create table market_swaps (${TABLE},${REST}
    );
    ${MEANINGS}
    insert into market_swaps (${COLUMNS}) select ${COLUMNS} from monthly_swaps order by slot, slot_order, index;
    drop table monthly_swaps;
    drop function add_swap_month;
    drop function swap_month_table;
    drop function swap_month;
    create unique index market_swaps_once on market_swaps (pool_number, index, substring(sha256(signature) for 16));
    create index market_swaps_newest on market_swaps (pool_number, slot, slot_order);
    create index market_swaps_by_time on market_swaps (pool_number, block_time);
    analyze market_swaps;
    ${view('')}`,
    )
    .execute(db);
}
