import { type Kysely, sql } from 'kysely';

/**
 * Creates the index cursor and the figures that lists sort and filter by: they change often, so they are apart from
 * `tokens`.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createCursors(db);
  await createFigures(db);
  await createTrading(db);
  await keepInStep(db);
  await indexSearch(db);
  await indexOrders(db);
}

async function createCursors(db: Kysely<unknown>): Promise<void> {
  await sql`
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
      fees_seen text collate "C",
      holders_slot bigint,
      holders_counted_at timestamptz,
      number integer generated always as identity,
      state_slot bigint,
      supply_raw numeric(20, 0),
      base_vault_raw numeric(20, 0),
      quote_vault_raw numeric(20, 0),
      price_usd_before numeric(60, 30),
      rewards_seen text collate "C",
      swaps_version bigint not null default 0,
      figures_version bigint not null default 0,
      many_accounts boolean not null default false,
      quote_raw numeric(20, 0) default 0,
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
    comment on column pool_cursors.fees_seen is 'Hash of the pool account at the fee sweep''s last look: fees can have accrued since only where it is another one now.';
    comment on column pool_cursors.holders_slot is 'Slot at which the holders of the token were counted last; null until then.';
    comment on column pool_cursors.number is 'What its swaps name it by.';
    comment on column pool_cursors.state_slot is 'Slot of the amounts beside it; they are of use while the token''s figures are of the same slot.';
    comment on column pool_cursors.supply_raw is 'Supply of the token, raw units.';
    comment on column pool_cursors.base_vault_raw is 'Balance of the vault of the token, raw units.';
    comment on column pool_cursors.quote_vault_raw is 'Balance of the vault of the quote token, raw units.';
    comment on column pool_cursors.price_usd_before is 'What the change of the day is measured against; null where unknown.';
    comment on column pool_cursors.rewards_seen is 'Hash of the pool account when last no round was due: while it is the same, only tax of transfers between wallets can have accrued.';
    comment on column pool_cursors.swaps_version is 'Raised whenever swaps of the pool change what figures are computed of.';
    comment on column pool_cursors.figures_version is 'The version of the swaps that the figures were computed of. Where it is another one, they are due.';
    comment on column pool_cursors.many_accounts is 'Its token lies in more accounts than held_accounts is to have; none of them are there.';
    comment on column pool_cursors.quote_raw is 'The quote vault''s balance after finalized_slot; null where it is not known.';
    create index pool_cursors_changed on pool_cursors (pool) where changed_slot is not null;
    create index pool_cursors_due on pool_cursors (figures_due_at);
    create index pool_cursors_recent on pool_cursors (updated_at desc);
    create index pool_cursors_fees_due on pool_cursors (pool) where seen is distinct from fees_seen;
    create index pool_cursors_holders_due on pool_cursors (holders_counted_at nulls first)
      where finalized_slot > coalesce(holders_slot, -1);
    create unique index pool_cursors_number on pool_cursors (number);
    create index pool_cursors_rewards_due on pool_cursors (pool) where seen is null or seen is distinct from rewards_seen;
    create index pool_cursors_unread on pool_cursors (pool) where base_vault is null;

    create table market_stream (
      is_only boolean primary key default true check (is_only),
      followed_slot bigint not null check (followed_slot >= 0),
      updated_at timestamptz not null default now()
    );
    comment on table market_stream is 'One row: how far the market was followed by a stream.';
    comment on column market_stream.followed_slot is 'The stream is settled up to this slot: it begins after it.';

    create function watch_pool() returns trigger language plpgsql as $$
    begin
      insert into pool_cursors (pool, mint) values (new.pool, new.mint) on conflict do nothing;
      return null;
    end $$;
    create trigger watch_pool after insert on tokens for each row execute function watch_pool();
    comment on function watch_pool() is 'No token without a cursor: what the index watches cannot drift from what was launched.';
  `.execute(db);
}

async function createFigures(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table token_markets (
      mint text collate "C" primary key references tokens on delete cascade,
      listed boolean not null,
      mode text not null,
      quote_mint text collate "C" not null,
      created_at timestamptz not null,
      search_text text collate "C" not null,
      symbol_text text collate "C" not null,
      symbol_skeleton text collate "C" not null,
      name_skeleton text collate "C" not null,
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
      flywheel boolean not null default false,
      has_airdrop boolean not null default false,
      graduated_at timestamptz,
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
    comment on column token_markets.graduated_at is 'When it was seen to have graduated.';
    comment on column token_markets.last_slot is 'Slot up to which the figures hold.';
    comment on column token_markets.has_airdrop is 'Launched with an airdrop; a copy that a trigger on airdrops keeps in step.';
    comment on column token_markets.flywheel is 'In the ranking of tokens that revenue buys.';

    -- By default the planner knows frequencies to a hundredth, which is where either way may be the slow one.
    alter table token_markets alter mint set statistics 500, alter search_text set statistics 500,
      alter symbol_text set statistics 500;
    -- An index-only scan has to look into the table for pages changed since the last vacuum, and the tokens that trade stand first
    -- in the orders. So by the minute, not when a fifth of the table has changed: a vacuum reads only those pages.
    alter table token_markets set (autovacuum_vacuum_scale_factor = 0.005, autovacuum_analyze_scale_factor = 0.02);
  `.execute(db);
}

/** Apart from `token_markets`, whose many indexes each change would touch. */
async function createTrading(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table token_trading (
      mint text collate "C" primary key references tokens on delete cascade,
      price_usd_before1h numeric(60, 30),
      price_usd_before6h numeric(60, 30),
      trades24h integer not null check (trades24h >= 0),
      traders24h integer not null check (traders24h >= 0),
      counted_at timestamptz not null
    );
    comment on table token_trading is 'Trades of the last 24 hours and earlier prices, counted again every minute while a token trades.';
    comment on column token_trading.price_usd_before1h is 'USD after the last swap before the last hour, else the opening price; null where unknown.';
    comment on column token_trading.price_usd_before6h is 'USD after the last swap before the last six hours, else the opening price; null where unknown.';
    comment on column token_trading.traders24h is 'Distinct wallets of these trades.';
    create index token_trading_traded on token_trading (counted_at) where trades24h > 0;
  `.execute(db);
}

/** Triggers, so that no writer of a token can forget its market. */
async function keepInStep(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function keep_token_market() returns trigger language plpgsql as $$
    begin
      insert into token_markets (mint, listed, mode, quote_mint, created_at, search_text, symbol_text,
        symbol_skeleton, name_skeleton)
      values (new.mint, not new.hidden and new.withdrawn_at is null, new.mode, new.quote_mint, new.created_at,
        lower(new.name) || chr(10) || lower(new.symbol), lower(new.symbol), new.symbol_skeleton, new.name_skeleton)
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
      if new.status = 'graduated' then
        new.graduated_at := coalesce(old.graduated_at, now());
      end if;
      return new;
    end $$;
    create trigger token_markets_milestones before update on token_markets
      for each row execute function keep_market_milestones();
  `.execute(db);
}

async function indexSearch(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Beside the figures, so that the planner can choose between this and reading along an order until a page is full, by how
    -- frequent a term is. Without the pending list, which every search would have to read through.
    create index token_markets_search on token_markets using gin (search_text gin_trgm_ops)
      with (fastupdate = off) where listed;
    create index token_markets_name_prefix on token_markets (search_text) where listed;
    create index token_markets_symbol_prefix on token_markets (symbol_text) where listed;
    -- Where the database's character type is C, letters beyond ASCII make no trigrams. Names that have any are few.
    create index token_markets_beyond_ascii on token_markets (mint) where listed and search_text ~ '[^\\x01-\\x7f]';
    -- A graduated original is found behind any number of dead tokens of its name.
    create index token_markets_graduated_symbol on token_markets (symbol_skeleton, created_at)
      where symbol_skeleton <> '' and status = 'graduated' and listed;
    create index token_markets_graduated_name on token_markets (name_skeleton, created_at)
      where name_skeleton <> '' and status = 'graduated' and listed;
    -- Who graduates is asked every minute, of all that have not.
    create index token_markets_ungraduated on token_markets (high_water_market_cap_usd) where status <> 'graduated';
  `.execute(db);
}

const ORDERS = {
  cap: 'market_cap_usd desc nulls last, mint desc',
  newest: 'created_at desc, mint desc',
  volume: 'volume24h_usd desc, mint desc',
} as const;

const LOOKED_AT = 'search_text, symbol_text, mode, status, quote_mint';

/**
 * Gives each order an index, alone and within each filter: a page is read from an index even for rare values. A term
 * in one of a hundred names matches too many rows to sort; scanning along the order is sooner. Order indexes include
 * the searched columns: an index-only scan takes a fifth of the time.
 */
async function indexOrders(db: Kysely<unknown>): Promise<void> {
  const create = (name: string, keys: string, rest = 'where listed') =>
    sql`create index ${sql.id(name)} on token_markets (${sql.raw(keys)}) ${sql.raw(rest)}`.execute(db);
  for (const [order, columns] of Object.entries(ORDERS)) {
    await create(`token_markets_${order}`, columns, `include (${LOOKED_AT}) where listed`);
    // Few tokens have an airdrop.
    await create(`token_markets_airdrop_${order}`, columns, 'where listed and has_airdrop');
    for (const filter of ['mode', 'status', 'quote_mint']) {
      await create(`token_markets_${filter}_${order}`, `${filter}, ${columns}`);
    }
  }
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`
    drop trigger tokens_keep_market on tokens;
    drop trigger watch_pool on tokens;
    drop table token_trading, token_markets, market_stream, pool_cursors;
    drop function keep_token_market, keep_market_milestones, watch_pool;
  `.execute(db);
}
