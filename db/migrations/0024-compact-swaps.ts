import { type Kysely, sql } from 'kysely';

/**
 * Swaps at less than half of the bytes: a number for the pool and its token, addresses as bytes, no USD that follows from the others,
 * and nothing that changes when a swap becomes final. `swaps` goes on as a view, for people and for what only reads; a release before
 * can not store swaps meanwhile, and loses none, because the next one reads them from the chain.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table pool_cursors add column number integer generated always as identity;
    create unique index pool_cursors_number on pool_cursors (number);
    comment on column pool_cursors.number is 'What its swaps name it by.';

    create table market_swaps (
      slot bigint not null check (slot >= 0),
      block_time timestamptz not null,
      pool_number integer not null references pool_cursors (number) on delete cascade,
      slot_order integer not null default 0,
      index smallint not null check (index >= 0),
      is_buy boolean not null,
      signature bytea not null check (octet_length(signature) = 64),
      wallet bytea not null check (octet_length(wallet) = 32),
      base_raw numeric(20, 0) not null check (base_raw >= 0),
      quote_raw numeric(20, 0) not null check (quote_raw >= 0),
      price_quote numeric(60, 30) not null check (price_quote >= 0),
      supply_raw numeric(20, 0) not null default 1000000000000000000,
      quote_usd numeric(50, 20) check (quote_usd > 0)
    );
    comment on table market_swaps is 'Swaps as they are kept; swaps shows them. Up to its pool''s finalized_slot they are final, later ones may be withdrawn.';
    comment on column market_swaps.index is 'Place among the swaps of this pool in the transaction, from 0.';
    comment on column market_swaps.slot_order is 'Place of the transaction among the pool''s transactions of its slot.';
    comment on column market_swaps.base_raw is 'Change of the pool''s vault of the launched token, raw units.';
    comment on column market_swaps.quote_raw is 'Change of the pool''s vault of the quote token, raw units.';
    comment on column market_swaps.price_quote is 'Whole quote tokens per whole base token right after the swap.';
    comment on column market_swaps.supply_raw is 'Supply of the mint when the swap was stored, raw units: what its market cap is of.';
    comment on column market_swaps.quote_usd is 'USD per whole quote token at that moment; null where no price of that time is known.';
    -- A swap is stored once. By half of the signature's hash, because of which this index takes half.
    create unique index market_swaps_once on market_swaps (pool_number, index, substring(sha256(signature) for 16));
    -- The newest trades of a token, in the order of the chain.
    create index market_swaps_newest on market_swaps (pool_number, slot, slot_order);
    create index market_swaps_by_time on market_swaps (pool_number, block_time);

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

    create function pg_temp.unbase58(written text, bytes integer) returns bytea language plpgsql as $$
    declare
      digits constant text := '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
      rest numeric := 0;
      hex text := '';
    begin
      for i in 1 .. length(written) loop
        if strpos(digits, substr(written, i, 1)) = 0 then
          raise exception '% is not base58', written;
        end if;
        rest := rest * 58 + strpos(digits, substr(written, i, 1)) - 1;
      end loop;
      for i in 1 .. bytes / 2 loop
        hex := lpad(to_hex(mod(rest, 65536)::integer), 4, '0') || hex;
        rest := div(rest, 65536);
      end loop;
      if rest > 0 then
        raise exception '% is more than % bytes', written, bytes;
      end if;
      return decode(hex, 'hex');
    end $$;

    insert into market_swaps (slot, block_time, pool_number, slot_order, index, is_buy, signature, wallet, base_raw, quote_raw,
        price_quote, supply_raw, quote_usd)
      select slot, block_time, cursor.number, slot_order, index, side = 'buy', pg_temp.unbase58(signature, 64),
        pg_temp.unbase58(wallet, 32), swaps.base_raw, quote_raw, price_quote, swaps.supply_raw, quote_usd
      from swaps join pool_cursors as cursor using (pool) order by slot, slot_order, index;
    update pool_cursors as cursor set changed_slot = greatest(changed_slot, open.slot)
      from (select pool, max(slot) as slot from swaps where not finalized group by pool) as open where cursor.pool = open.pool;
    drop function pg_temp.unbase58;
    drop table swaps;
    analyze market_swaps;

    create view swaps as
      select base58(swap.signature) collate "C" as signature, cursor.pool, swap.index::integer as index, cursor.mint, swap.slot,
        swap.slot_order, swap.block_time, case when swap.is_buy then 'buy' else 'sell' end as side,
        base58(swap.wallet) collate "C" as wallet, swap.base_raw, swap.quote_raw, swap.price_quote, swap.supply_raw, swap.quote_usd,
        round(swap.price_quote * swap.quote_usd, 30) as price_usd,
        round(swap.quote_raw * swap.quote_usd * (array[1, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12, 1e-13, 1e-14, 1e-15, 1e-16, 1e-17, 1e-18, 1e-19])[pairs.decimals + 1], 10) as value_usd,
        swap.slot <= cursor.finalized_slot as finalized, swap.pool_number, swap.signature as signature_bytes,
        swap.wallet as wallet_bytes
      from market_swaps as swap join pool_cursors as cursor on cursor.number = swap.pool_number
      left join tokens on tokens.mint = cursor.mint left join pairs on pairs.mint = tokens.quote_mint;
    comment on view swaps is 'What is stored of swaps and what follows from it: addresses in base58, what tokens were worth in USD, and whether it is final.';
  `.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table text_swaps (
      signature text collate "C" not null,
      pool text collate "C" not null,
      index integer not null constraint swaps_index_check check (index >= 0),
      mint text collate "C" not null constraint swaps_mint_fkey references tokens on delete cascade,
      slot bigint not null constraint swaps_slot_check check (slot >= 0),
      slot_order integer not null default 0,
      block_time timestamptz not null,
      side text not null constraint swaps_side_check check (side in ('buy', 'sell')),
      wallet text collate "C" not null,
      base_raw numeric(20, 0) not null constraint swaps_base_raw_check check (base_raw >= 0),
      quote_raw numeric(20, 0) not null constraint swaps_quote_raw_check check (quote_raw >= 0),
      price_quote numeric(60, 30) not null constraint swaps_price_quote_check check (price_quote >= 0),
      supply_raw numeric(20, 0) not null default 1000000000000000000,
      quote_usd numeric(50, 20) constraint swaps_quote_usd_check check (quote_usd > 0),
      price_usd numeric(60, 30) constraint swaps_price_usd_check check (price_usd >= 0),
      value_usd numeric(40, 10) constraint swaps_value_usd_check check (value_usd >= 0),
      finalized boolean not null default false,
      constraint swaps_pkey primary key (signature, pool, index),
      constraint swaps_usd check ((quote_usd is null) = (price_usd is null) and (quote_usd is null) = (value_usd is null))
    );
    insert into text_swaps select signature, pool, index, mint, slot, slot_order, block_time, side, wallet, base_raw, quote_raw,
      price_quote, supply_raw, quote_usd, price_usd, value_usd, finalized from swaps;
    drop view swaps;
    drop table market_swaps;
    drop function base58;
    alter table pool_cursors drop column number;
    alter table text_swaps rename to swaps;
    create index swaps_newest on swaps (mint, slot desc, slot_order desc);
    create index swaps_by_time on swaps (mint, block_time)
      include (slot, price_usd, price_quote, base_raw, value_usd, finalized);
    create index swaps_provisional on swaps (pool, slot) where not finalized;
  `.execute(db);
}
