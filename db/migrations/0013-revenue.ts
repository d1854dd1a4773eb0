import { type Kysely, sql } from 'kysely';

/** What the platform's positions earn: sweeps of their fees, what each brought, what was burned, and the sums of each day. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createSweeps(db);
  await createHarvests(db);
  await createBurns(db);
}

async function createSweeps(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table pool_cursors add column fees_seen text collate "C";
    comment on column pool_cursors.fees_seen is 'Hash of the pool account at the fee sweep''s last look: fees can have accrued since only where it is another one now.';
    create index pool_cursors_fees_due on pool_cursors (pool) where seen is distinct from fees_seen;

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
      primary key (mint, number),
      constraint fee_sweeps_state check (state in ('planned', 'harvested', 'done')),
      constraint fee_sweeps_settled check ((settled_at is not null) = (state = 'done')),
      constraint fee_sweeps_position check ((number = 0) = (fee_key_mint is null)),
      constraint fee_sweeps_claimable check (number = 0 or (claimable_base_raw is not null and claimable_quote_raw is not null)),
      constraint fee_sweeps_price check ((quote_usd is null) = (priced_at is null) and (quote_usd is null) = (price_source is null)),
      constraint fee_sweeps_excess check ((excess_raw is not null) = (number = 0 and state = 'done'))
    );
    comment on table fee_sweeps is 'Sweeps of the fees of the platform''s positions, from plan to end; number 0 burns the tax withheld when a reward launch''s liquidity was deposited.';
    comment on column fee_sweeps.claimable_base_raw is 'Fees when it was planned; what it brought is in fee_harvests.';
    comment on column fee_sweeps.quote_usd is 'USD per whole quote token when it was planned, or signed last; null where there was no fresh price.';
    comment on column fee_sweeps.base_usd is 'USD per whole launched token at the pool''s price then.';
    comment on column fee_sweeps.buyback_bps is 'Share of its revenue that is for buybacks, as it was configured then.';
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
      foreign key (mint, number) references fee_sweeps,
      unique (mint, number),
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

    create table revenue_days (
      day text collate "C" primary key check (day ~ '^\\d{4}-\\d{2}-\\d{2}$'),
      revenue_usd numeric(60, 10) not null default 0,
      buyback_usd numeric(60, 14) not null default 0,
      harvests integer not null default 0,
      unpriced integer not null default 0
    );
    comment on table revenue_days is 'Sums of fee_harvests by UTC day, kept by a trigger.';
    comment on column revenue_days.buyback_usd is 'Share of the day''s revenue that is for buybacks.';
    comment on column revenue_days.unpriced is 'Harvests without a price, which count as zero.';

    create function sum_harvest() returns trigger language plpgsql as $$
    begin
      insert into revenue_days as sums (day, revenue_usd, buyback_usd, harvests, unpriced)
      values (to_char(new.harvested_at at time zone 'UTC', 'YYYY-MM-DD'), coalesce(new.value_usd, 0),
        coalesce(new.value_usd, 0) * new.buyback_bps * 0.0001, 1, (new.value_usd is null)::integer)
      on conflict (day) do update set revenue_usd = sums.revenue_usd + excluded.revenue_usd,
        buyback_usd = sums.buyback_usd + excluded.buyback_usd,
        harvests = sums.harvests + 1, unpriced = sums.unpriced + excluded.unpriced;
      return null;
    end $$;
    create trigger fee_harvests_sum after insert on fee_harvests for each row execute function sum_harvest();
  `.execute(db);
}

async function createBurns(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table burns (
      id bigint generated always as identity primary key,
      mint text collate "C" not null,
      amount_raw numeric(20, 0) not null check (amount_raw > 0),
      signature text collate "C" not null,
      kind text not null,
      value_usd numeric(40, 10) check (value_usd >= 0),
      burned_at timestamptz not null,
      unique (signature, mint, kind),
      constraint burns_kind check (kind in ('sweep', 'buyback', 'flywheel'))
    );
    comment on table burns is 'Tokens that the platform burned, from finalized balance changes.';
    comment on column burns.kind is 'sweep: fees in the launched token, and the tax on a reward launch''s deposit; buyback and flywheel: bought with revenue.';
    comment on column burns.value_usd is 'What they were worth; null where there was no fresh price.';
    create index burns_of_mint on burns (mint, kind, burned_at desc, id desc) include (amount_raw, value_usd);
    create index burns_newest on burns (burned_at desc, id desc);
    create index burns_of_kind on burns (kind, burned_at desc, id desc);

    create table burn_days (
      day text collate "C" not null check (day ~ '^\\d{4}-\\d{2}-\\d{2}$'),
      kind text not null,
      value_usd numeric(60, 10) not null default 0,
      burns integer not null default 0,
      unpriced integer not null default 0,
      primary key (day, kind)
    );
    comment on table burn_days is 'Sums of burns by UTC day and kind, kept by a trigger.';

    create function sum_burn() returns trigger language plpgsql as $$
    begin
      insert into burn_days as sums (day, kind, value_usd, burns, unpriced)
      values (to_char(new.burned_at at time zone 'UTC', 'YYYY-MM-DD'), new.kind, coalesce(new.value_usd, 0), 1,
        (new.value_usd is null)::integer)
      on conflict (day, kind) do update set value_usd = sums.value_usd + excluded.value_usd,
        burns = sums.burns + 1, unpriced = sums.unpriced + excluded.unpriced;
      return null;
    end $$;
    create trigger burns_sum after insert on burns for each row execute function sum_burn();

    create trigger burns_fixed before update or delete on burns for each row execute function refuse_change();
    create trigger fee_harvests_fixed before update or delete on fee_harvests for each row execute function refuse_change();
  `.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`
    drop table burn_days, burns, revenue_days, fee_harvests, fee_sweeps;
    drop function sum_harvest, sum_burn;
    drop index pool_cursors_fees_due;
    alter table pool_cursors drop column fees_seen;
  `.execute(db);
}
