import { type Kysely, sql } from 'kysely';

/**
 * Keeps totals by triggers, so that they hold whichever release writes. One shared row would make writers wait: each
 * statement appends its change, about one writer in `FOLD_EVERY` folds them into the totals, readers add both.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createMarketTotals(db);
  await keepMarketTotals(db);
  await createLaunchTotals(db);
  await keepLaunchTotals(db);
  await createBuybackSums(db);
}

const FOLD_EVERY = sql.lit(64);

async function createMarketTotals(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table token_market_totals (
      quote_mint text collate "C" not null,
      mode text not null,
      status text not null,
      tokens bigint not null,
      market_cap_usd numeric(60, 10) not null,
      volume24h_usd numeric(60, 10) not null,
      liquidity_usd numeric(60, 10) not null,
      primary key (quote_mint, mode, status)
    ) with (fillfactor = 50);
    comment on table token_market_totals is 'Sums over the listed rows of token_markets, but for what token_market_changes adds.';
    comment on column token_market_totals.market_cap_usd is 'Sums of USD are of what has a price.';

    create table token_market_changes (
      id bigint generated always as identity primary key,
      quote_mint text collate "C" not null,
      mode text not null,
      status text not null,
      tokens bigint not null,
      market_cap_usd numeric(60, 10) not null,
      volume24h_usd numeric(60, 10) not null,
      liquidity_usd numeric(60, 10) not null
    );
    comment on table token_market_changes is 'What statements changed of token_market_totals, until one of them adds it up.';

    -- One statement: a reader sees a change either here or there. Where another one is at it, that one's changes are enough.
    create function fold_token_market_changes() returns void language plpgsql as $$
    begin
      if not pg_try_advisory_xact_lock(hashtext('token_market_changes')) then
        return;
      end if;
      with gone as (delete from token_market_changes returning *)
      insert into token_market_totals as totals (quote_mint, mode, status, tokens, market_cap_usd, volume24h_usd, liquidity_usd)
      select quote_mint, mode, status, sum(tokens), sum(market_cap_usd), sum(volume24h_usd), sum(liquidity_usd)
      from gone group by 1, 2, 3
      on conflict (quote_mint, mode, status) do update set tokens = totals.tokens + excluded.tokens,
        market_cap_usd = totals.market_cap_usd + excluded.market_cap_usd,
        volume24h_usd = totals.volume24h_usd + excluded.volume24h_usd,
        liquidity_usd = totals.liquidity_usd + excluded.liquidity_usd;
    end $$;

    -- No statement may change a token's market meanwhile.
    create function recount_token_markets() returns void language plpgsql as $$
    begin
      lock table token_markets in share row exclusive mode;
      delete from token_market_changes;
      delete from token_market_totals;
      insert into token_market_totals
      select quote_mint, mode, status, count(*), coalesce(sum(market_cap_usd), 0), sum(volume24h_usd),
        coalesce(sum(liquidity_usd), 0)
      from token_markets where listed group by 1, 2, 3;
    end $$;
  `.execute(db);
}

/** A trigger with transition tables serves one operation. */
const STATEMENTS = {
  insert: { seen: 'new table as added', rows: 'select 1 as sign, added.* from added' },
  update: {
    seen: 'old table as gone new table as added',
    rows: 'select 1 as sign, added.* from added union all select -1, gone.* from gone',
  },
  delete: { seen: 'old table as gone', rows: 'select -1 as sign, gone.* from gone' },
} as const;

async function keepMarketTotals(db: Kysely<unknown>): Promise<void> {
  for (const [statement, { seen, rows }] of Object.entries(STATEMENTS)) {
    const name = sql.id(`note_token_market_${statement}`);
    await sql`
      create function ${name}() returns trigger language plpgsql as $$
      declare is_due boolean;
      begin
        with changed as (
          insert into token_market_changes (quote_mint, mode, status, tokens, market_cap_usd, volume24h_usd, liquidity_usd)
          select quote_mint, mode, status, sum(sign), sum(sign * coalesce(market_cap_usd, 0)), sum(sign * volume24h_usd),
            sum(sign * coalesce(liquidity_usd, 0))
          from (${sql.raw(rows)}) as rows where listed group by 1, 2, 3
          having sum(sign) <> 0 or sum(sign * coalesce(market_cap_usd, 0)) <> 0 or sum(sign * volume24h_usd) <> 0
            or sum(sign * coalesce(liquidity_usd, 0)) <> 0
          returning id
        )
        select bool_or(id % ${FOLD_EVERY} = 0) into is_due from changed;
        if is_due then
          perform fold_token_market_changes();
        end if;
        return null;
      end $$;
      create trigger ${sql.id(`token_markets_total_${statement}`)} after ${sql.raw(statement)} on token_markets
        referencing ${sql.raw(seen)} for each statement execute function ${name}();
    `.execute(db);
  }
}

const COMPLETED = sql.raw(`state in ('completed', 'finalized')`);
const HOUR = sql.raw(`date_trunc('hour', launched_at, 'UTC')`);

async function createLaunchTotals(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table launch_totals (
      only_one boolean primary key default true check (only_one),
      launches bigint not null default 0,
      creators bigint not null default 0
    ) with (fillfactor = 50);
    comment on table launch_totals is 'Launches that completed and wallets that launched them, whatever became of their tokens, but for what launch_changes adds. One row.';
    insert into launch_totals default values;

    create table launch_hours (
      hour timestamptz primary key,
      launches bigint not null
    ) with (fillfactor = 50);
    comment on table launch_hours is 'The same launches by hour of their block time, but for what launch_changes adds.';

    create table launch_creators (
      creator text collate "C" primary key,
      launches bigint not null
    );
    comment on table launch_creators is 'The same launches by creator, but for what launch_changes adds.';

    create table launch_changes (
      id bigint generated always as identity primary key,
      creator text collate "C" not null,
      hour timestamptz not null,
      launches bigint not null
    );
    comment on table launch_changes is 'What statements changed of launch_totals, launch_hours and launch_creators, until one of them adds it up.';

    create function fold_launch_changes() returns void language plpgsql as $$
    begin
      if not pg_try_advisory_xact_lock(hashtext('launch_changes')) then
        return;
      end if;
      with gone as (delete from launch_changes returning *),
      by_hour as (
        insert into launch_hours as totals (hour, launches) select hour, sum(launches) from gone group by 1
        on conflict (hour) do update set launches = totals.launches + excluded.launches
      ),
      changed as (select creator, sum(launches) as launches from gone group by 1),
      by_creator as (
        insert into launch_creators as totals (creator, launches) select creator, launches from changed
        on conflict (creator) do update set launches = totals.launches + excluded.launches
        returning creator, launches
      ),
      creators as (
        select coalesce(sum((now.launches > 0)::integer - (now.launches - changed.launches > 0)::integer), 0) as creators
        from by_creator as now join changed using (creator)
      )
      update launch_totals set launches = launches + (select coalesce(sum(launches), 0) from gone),
        creators = launch_totals.creators + creators.creators from creators;
    end $$;

    -- No launch may change its state meanwhile.
    create function recount_launches() returns void language plpgsql as $$
    begin
      lock table launches in share row exclusive mode;
      delete from launch_changes;
      delete from launch_hours;
      delete from launch_creators;
      insert into launch_hours select ${HOUR}, count(*) from launches where ${COMPLETED} group by 1;
      insert into launch_creators select creator, count(*) from launches where ${COMPLETED} group by 1;
      update launch_totals set launches = (select coalesce(sum(launches), 0) from launch_hours),
        creators = (select count(*) from launch_creators);
    end $$;
  `.execute(db);
}

/** Launches are written one by one, and most changes do not affect the counts. */
async function keepLaunchTotals(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function note_launch() returns trigger language plpgsql as $$
    declare is_due boolean;
    begin
      with changed as (
        insert into launch_changes (creator, hour, launches)
        select creator, ${HOUR}, sum(sign)
        from (
          select 1 as sign, new.creator, new.state, new.launched_at where tg_op <> 'DELETE'
          union all select -1, old.creator, old.state, old.launched_at where tg_op <> 'INSERT'
        ) as rows
        where ${COMPLETED} group by 1, 2 having sum(sign) <> 0
        returning id
      )
      select bool_or(id % ${FOLD_EVERY} = 0) into is_due from changed;
      if is_due then
        perform fold_launch_changes();
      end if;
      return null;
    end $$;
    create trigger launches_total after insert or delete or update of state, creator, launched_at on launches
      for each row execute function note_launch();
  `.execute(db);
}

/** A token has at most one open round: writers do not wait. */
async function createBuybackSums(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table buyback_sums (
      kind text not null,
      mint text collate "C" not null,
      quote_mint text collate "C" not null,
      rounds bigint not null,
      spent_times_price numeric(90, 20) not null,
      primary key (kind, mint, quote_mint)
    );
    comment on table buyback_sums is 'Sums over the rounds of buyback_rounds whose swap is final, kept by a trigger.';
    comment on column buyback_sums.spent_times_price is 'Raw quote tokens times USD per whole one, of the rounds that have a price.';

    create function sum_buyback() returns trigger language plpgsql as $$
    begin
      insert into buyback_sums as sums (kind, mint, quote_mint, rounds, spent_times_price)
      select kind, mint, quote_mint, sum(sign), sum(sign * coalesce(spent_raw * quote_usd, 0))
      from (
        select 1 as sign, new.kind, new.mint, new.quote_mint, new.state, new.spent_raw, new.quote_usd where tg_op <> 'DELETE'
        union all
        select -1, old.kind, old.mint, old.quote_mint, old.state, old.spent_raw, old.quote_usd where tg_op <> 'INSERT'
      ) as rows
      where state <> 'planned' group by 1, 2, 3 having sum(sign) <> 0 or sum(sign * coalesce(spent_raw * quote_usd, 0)) <> 0
      on conflict (kind, mint, quote_mint) do update set rounds = sums.rounds + excluded.rounds,
        spent_times_price = sums.spent_times_price + excluded.spent_times_price;
      return null;
    end $$;
    create trigger buyback_rounds_sum after insert or update or delete on buyback_rounds
      for each row execute function sum_buyback();
  `.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`
    drop trigger buyback_rounds_sum on buyback_rounds;
    drop table buyback_sums;
    drop function sum_buyback;
  `.execute(db);
  for (const statement of Object.keys(STATEMENTS)) {
    await sql`drop trigger ${sql.id(`token_markets_total_${statement}`)} on token_markets`.execute(db);
    await sql`drop function ${sql.id(`note_token_market_${statement}`)}`.execute(db);
  }
  await sql`
    drop trigger launches_total on launches;
    drop table token_market_changes, token_market_totals, launch_changes, launch_creators, launch_hours, launch_totals;
    drop function fold_token_market_changes, recount_token_markets, note_launch, fold_launch_changes, recount_launches;
  `.execute(db);
}
