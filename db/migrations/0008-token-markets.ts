import { type Kysely, sql } from 'kysely';

/**
 * The figures that lists are sorted and filtered by, apart from `tokens`, which hardly ever change. The graduation status moves
 * here, where the figures that decide it are.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createTable(db);
  await keepInStep(db);
  await numberTokens(db);
  await moveSearchAndStatus(db);
  await createIndexes(db);
}

async function createTable(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table token_markets (
      mint text collate "C" primary key references tokens on delete cascade,
      listed boolean not null,
      mode text not null,
      quote_mint text collate "C" not null,
      created_at timestamptz not null,
      search_text text collate "C" not null,
      symbol_text text collate "C" not null,
      status text not null default 'new',
      price_quote numeric(60, 30),
      price_usd numeric(60, 30),
      market_cap_usd numeric(40, 10),
      high_water_market_cap_usd numeric(40, 10),
      volume24h_usd numeric(40, 10) not null default 0,
      liquidity_usd numeric(40, 10),
      price_change24h_percent numeric(20, 4),
      holders integer check (holders >= 0),
      last_slot bigint,
      updated_at timestamptz not null default now(),
      constraint token_markets_status check (status in ('new', 'aboutToGraduate', 'graduated'))
    );
    comment on table token_markets is 'Market figures of each token, and copies of what lists filter by, which triggers on tokens keep in step.';
    comment on column token_markets.listed is 'Neither hidden nor withdrawn.';
    comment on column token_markets.search_text is 'Name and symbol in lower case, a line each: what a search looks through.';
    comment on column token_markets.symbol_text is 'Symbol in lower case.';
    comment on column token_markets.price_quote is 'Whole quote tokens per whole token.';
    comment on column token_markets.high_water_market_cap_usd is 'The highest market cap ever seen; only rises.';
    comment on column token_markets.liquidity_usd is 'Value of both vaults of the pool.';
    comment on column token_markets.holders is 'Wallets that hold some of it; null until counted.';
    comment on column token_markets.last_slot is 'Slot up to which the figures hold.';
  `.execute(db);
}

/** Triggers, because whoever changes a token must not be able to forget its market. */
async function keepInStep(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function keep_token_market() returns trigger language plpgsql as $$
    begin
      insert into token_markets (mint, listed, mode, quote_mint, created_at, search_text, symbol_text)
      values (new.mint, not new.hidden and new.withdrawn_at is null, new.mode, new.quote_mint, new.created_at,
        lower(new.name) || chr(10) || lower(new.symbol), lower(new.symbol))
      on conflict (mint) do update set listed = excluded.listed, created_at = excluded.created_at;
      return null;
    end $$;
    create trigger tokens_keep_market after insert or update of hidden, withdrawn_at, created_at on tokens
      for each row execute function keep_token_market();

    create function keep_market_milestones() returns trigger language plpgsql as $$
    begin
      if old.status = 'graduated' and new.status <> 'graduated' then
        raise exception 'token % has graduated, which is for ever', new.mint using errcode = 'restrict_violation';
      end if;
      if new.high_water_market_cap_usd is null or new.high_water_market_cap_usd < old.high_water_market_cap_usd then
        new.high_water_market_cap_usd := old.high_water_market_cap_usd;
      end if;
      return new;
    end $$;
    create trigger token_markets_milestones before update on token_markets
      for each row execute function keep_market_milestones();
  `.execute(db);
}

/**
 * Block time is not the order in which tokens become visible: a launch of an earlier block may be recorded later. Who pages
 * through an index from the oldest must find new tokens at its end, so each gets the next number, under a lock that is held
 * until it is visible. A token that a fork took back and that landed again is a new one at the end.
 */
async function numberTokens(db: Kysely<unknown>): Promise<void> {
  await sql`
    create sequence token_listing_numbers;
    alter table tokens add column listing_number bigint;
    update tokens set listing_number = numbered.number
      from (select mint, row_number() over (order by created_at, mint) as number from tokens) as numbered
      where numbered.mint = tokens.mint;
    select setval('token_listing_numbers', coalesce(max(listing_number), 1), count(*) > 0) from tokens;
    alter table tokens alter column listing_number set not null;
    comment on column tokens.listing_number is 'Order in which tokens became visible; order of the asset index.';

    create function number_token() returns trigger language plpgsql as $$
    begin
      perform pg_advisory_xact_lock(hashtext('token_listing_numbers'));
      new.listing_number := nextval('token_listing_numbers');
      return new;
    end $$;
    create trigger tokens_number before insert on tokens for each row execute function number_token();
    create trigger tokens_number_again before update of withdrawn_at on tokens
      for each row when (old.withdrawn_at is not null and new.withdrawn_at is null) execute function number_token();

    drop index tokens_index;
    create unique index tokens_index on tokens (listing_number) where withdrawn_at is null and not hidden;
  `.execute(db);
}

async function moveSearchAndStatus(db: Kysely<unknown>): Promise<void> {
  await sql`
    insert into token_markets (mint, listed, mode, quote_mint, created_at, search_text, symbol_text, status)
      select mint, not hidden and withdrawn_at is null, mode, quote_mint, created_at, lower(name) || chr(10) || lower(symbol), lower(symbol), status
      from tokens;
    alter table tokens drop column status;
    drop index tokens_name_trgm, tokens_symbol_trgm, tokens_quote_mint;
    -- Beside the figures, so that the planner can choose between this and reading along an order until a page is full, by how
    -- frequent a term is. Without the pending list, which every search would have to read through.
    create index token_markets_search on token_markets using gin (search_text gin_trgm_ops)
      with (fastupdate = off) where listed;
    create index token_markets_name_prefix on token_markets (search_text) where listed;
    create index token_markets_symbol_prefix on token_markets (symbol_text) where listed;
    -- Where the database's character type is C, letters beyond ASCII make no trigrams. Names that have any are few.
    create index token_markets_beyond_ascii on token_markets (mint) where listed and search_text ~ '[^\\x01-\\x7f]';
    -- The newest trades of a token, in the order of the chain.
    create index swaps_newest on swaps (mint, slot desc, slot_order desc);
    -- Candles are computed from this index alone.
    drop index swaps_by_time;
    create index swaps_by_time on swaps (mint, block_time)
      include (slot, price_usd, price_quote, base_raw, value_usd, finalized);
    create index launches_ledger_by_mode on launches (mode, launched_at desc, quote_id desc)
      where state in ('completed', 'finalized');
  `.execute(db);
}

/** Each order of the list, alone and within each filter, so that a page is read off an index however rare what it asks for is. */
async function createIndexes(db: Kysely<unknown>): Promise<void> {
  const orders = {
    cap: 'market_cap_usd desc nulls last, mint desc',
    newest: 'created_at desc, mint desc',
    volume: 'volume24h_usd desc, mint desc',
  };
  for (const [order, columns] of Object.entries(orders)) {
    for (const filter of ['', 'mode', 'status', 'quote_mint']) {
      const name = sql.id(`token_markets_${filter === '' ? '' : `${filter}_`}${order}`);
      const keys = sql.raw(filter === '' ? columns : `${filter}, ${columns}`);
      await sql`create index ${name} on token_markets (${keys}) where listed`.execute(db);
    }
  }
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`
    drop index swaps_newest, swaps_by_time, launches_ledger_by_mode, tokens_index;
    create index swaps_by_time on swaps (mint, block_time) include (value_usd, finalized);
    drop trigger tokens_keep_market on tokens;
    drop trigger tokens_number on tokens;
    drop trigger tokens_number_again on tokens;
    alter table tokens drop column listing_number;
    alter table tokens add column status text not null default 'new',
      add constraint tokens_status check (status in ('new', 'aboutToGraduate', 'graduated'));
    update tokens set status = token_markets.status from token_markets where token_markets.mint = tokens.mint;
    drop table token_markets;
    drop sequence token_listing_numbers;
    drop function keep_token_market, keep_market_milestones, number_token;
    create index tokens_index on tokens (created_at, mint) where withdrawn_at is null and not hidden;
    create index tokens_name_trgm on tokens using gin (lower(name) gin_trgm_ops);
    create index tokens_symbol_trgm on tokens using gin (lower(symbol) gin_trgm_ops);
    create index tokens_quote_mint on tokens (quote_mint, created_at, mint) where withdrawn_at is null and not hidden;
  `.execute(db);
}
