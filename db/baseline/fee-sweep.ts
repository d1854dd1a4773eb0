import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await createSweeps(db);
  await createHarvests(db);
  await sumHarvests(db);
}

async function createSweeps(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table fee_sweeps (
      mint text collate "C" not null references tokens,
      number integer not null check (number >= 0),
      state text not null default 'planned',
      fee_key_mint text collate "C",
      claimable_base_raw numeric(20, 0) check (claimable_base_raw >= 0),
      claimable_quote_raw numeric(20, 0) check (claimable_quote_raw >= 0),
      quote_usd numeric(50, 20) check (quote_usd > 0),
      price_source text,
      priced_at timestamptz,
      base_usd numeric(60, 30) check (base_usd >= 0),
      buyback_bps integer not null check (buyback_bps between 0 and 10000),
      excess_raw numeric(20, 0) check (excess_raw >= 0),
      planned_at timestamptz not null default now(),
      tries integer not null default 0,
      due_at timestamptz not null default now(),
      problem text,
      settled_at timestamptz,
      flywheel_bps integer not null default 0 check (flywheel_bps between 0 and 10000),
      primary key (mint, number),
      constraint fee_sweeps_state check (state in ('planned', 'harvested', 'done')),
      constraint fee_sweeps_settled check ((settled_at is not null) = (state = 'done')),
      constraint fee_sweeps_position check ((number = 0) = (fee_key_mint is null)),
      constraint fee_sweeps_claimable check (number = 0 or (claimable_base_raw is not null and claimable_quote_raw is not null)),
      constraint fee_sweeps_price check ((quote_usd is null) = (priced_at is null) and (quote_usd is null) = (price_source is null)),
      constraint fee_sweeps_shares check (buyback_bps + flywheel_bps <= 10000),
      constraint fee_sweeps_excess check ((excess_raw is not null) = (number = 0 and state = 'done'))
    );
    comment on table fee_sweeps is 'Sweeps of the fees of the platform''s positions, from plan to end; number 0 burns the tax withheld when a reward launch''s liquidity was deposited.';
    comment on column fee_sweeps.claimable_base_raw is 'Fees when it was planned; what it brought is in fee_harvests.';
    comment on column fee_sweeps.quote_usd is 'USD per whole quote token when it was planned, or signed last; null where there was no fresh price.';
    comment on column fee_sweeps.base_usd is 'USD per whole launched token at the pool''s price then.';
    comment on column fee_sweeps.buyback_bps is 'Share of its revenue that is for buybacks, as it was configured then.';
    comment on column fee_sweeps.flywheel_bps is 'Share of its revenue that is for buying the ranked tokens, as it was configured then.';
    comment on column fee_sweeps.excess_raw is 'Number 0: tax of trades that was withdrawn along with the deposit''s; it lies in the rewards authority''s account and is the holders''.';
    comment on column fee_sweeps.problem is 'Why the last try did not get to the end.';
    create unique index fee_sweeps_open on fee_sweeps (mint) where state <> 'done' and number > 0;
    create index fee_sweeps_due on fee_sweeps (due_at) where state <> 'done';
  `.execute(db);
}

async function createHarvests(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table fee_harvests (
      purpose text collate "C" primary key,
      mint text collate "C" not null,
      number integer not null check (number > 0),
      pool text collate "C" not null,
      fee_key_mint text collate "C" not null,
      quote_mint text collate "C" not null,
      base_raw numeric(20, 0) not null check (base_raw >= 0),
      quote_raw numeric(20, 0) not null check (quote_raw >= 0),
      quote_usd numeric(50, 20) check (quote_usd > 0),
      price_source text,
      priced_at timestamptz,
      value_usd numeric(40, 10) check (value_usd >= 0),
      buyback_bps integer not null check (buyback_bps between 0 and 10000),
      signature text collate "C" not null unique,
      slot bigint not null check (slot >= 0),
      harvested_at timestamptz not null,
      flywheel_bps integer not null default 0 check (flywheel_bps between 0 and 10000),
      foreign key (mint, number) references fee_sweeps,
      unique (mint, number),
      constraint fee_harvests_shares check (buyback_bps + flywheel_bps <= 10000),
      constraint fee_harvests_price check (
        (quote_usd is null) = (value_usd is null) and (quote_usd is null) = (priced_at is null) and (quote_usd is null) = (price_source is null)
      )
    );
    comment on table fee_harvests is 'Finalized harvests of the platform''s positions.';
    comment on column fee_harvests.base_raw is 'What arrived of the launched token, after its transfer tax; it is burned.';
    comment on column fee_harvests.quote_raw is 'What arrived in the treasury, after a transfer tax of the quote token: the revenue.';
    comment on column fee_harvests.value_usd is 'What the quote tokens were worth; null where there was no fresh price.';
    comment on column fee_harvests.harvested_at is 'Block time; its UTC day is the revenue''s.';
    create index fee_harvests_newest on fee_harvests (harvested_at desc, purpose desc);
    create trigger fee_harvests_fixed before update or delete on fee_harvests for each row execute function refuse_change();
  `.execute(db);
}

async function sumHarvests(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table revenue_days (
      day text collate "C" primary key check (day ~ '^\\d{4}-\\d{2}-\\d{2}$'),
      revenue_usd numeric(60, 10) not null default 0,
      buyback_usd numeric(60, 14) not null default 0,
      harvests integer not null default 0,
      unpriced integer not null default 0,
      flywheel_usd numeric(60, 14) not null default 0
    );
    comment on table revenue_days is 'Sums of fee_harvests by UTC day, kept by a trigger.';
    comment on column revenue_days.buyback_usd is 'Share of the day''s revenue that is for buybacks.';
    comment on column revenue_days.flywheel_usd is 'Share of the day''s revenue that is for buying the ranked tokens.';
    comment on column revenue_days.unpriced is 'Harvests without a price, which count as zero.';

    create function sum_harvest() returns trigger language plpgsql as $$
    declare entry statement_rows;
    begin
      insert into revenue_days as sums (day, revenue_usd, buyback_usd, flywheel_usd, harvests, unpriced)
      values (to_char(new.harvested_at at time zone 'UTC', 'YYYY-MM-DD'), coalesce(new.value_usd, 0),
        coalesce(new.value_usd, 0) * new.buyback_bps * 0.0001, coalesce(new.value_usd, 0) * new.flywheel_bps * 0.0001,
        1, (new.value_usd is null)::integer)
      on conflict (day) do update set revenue_usd = sums.revenue_usd + excluded.revenue_usd,
        buyback_usd = sums.buyback_usd + excluded.buyback_usd, flywheel_usd = sums.flywheel_usd + excluded.flywheel_usd,
        harvests = sums.harvests + 1, unpriced = sums.unpriced + excluded.unpriced;
      insert into buyback_budgets as sums (kind, quote_mint, allocated_raw)
      select share.kind, new.quote_mint, floor(new.quote_raw * share.bps / 10000)
      from (values ('buyback', new.buyback_bps), ('flywheel', new.flywheel_bps)) as share (kind, bps)
      where share.bps > 0
      on conflict (kind, quote_mint) do update set allocated_raw = sums.allocated_raw + excluded.allocated_raw;
      entry.account := 'revenue/' || new.quote_mint;
      entry.kind := 'harvest';
      entry.mint := new.mint;
      entry.signature := new.signature;
      entry.slot := new.slot;
      entry.landed_at := new.harvested_at;
      entry.value_usd := new.value_usd;
      entry.base_raw := 0;
      entry.quote_raw := new.quote_raw;
      perform note_statement_row(entry);
      entry.kind := 'share';
      entry.value_usd := null;
      entry.harvested_raw := new.quote_raw;
      for entry.account, entry.share_bps in
        select share.kind || '/' || new.quote_mint, share.bps
        from (values ('buyback', new.buyback_bps), ('flywheel', new.flywheel_bps)) as share (kind, bps)
        where share.bps > 0 order by 1
      loop
        entry.quote_raw := floor(new.quote_raw * entry.share_bps / 10000);
        perform note_statement_row(entry);
      end loop;
      return null;
    end $$;
    create trigger fee_harvests_sum after insert on fee_harvests for each row execute function sum_harvest();
  `.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`
    drop table revenue_days, fee_harvests, fee_sweeps;
    drop function sum_harvest;
  `.execute(db);
}
