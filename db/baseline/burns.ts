import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await createBurns(db);
  await createTokenSums(db);
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
      constraint burns_kind check (kind in ('fee-sweep', 'buyback', 'flywheel'))
    );
    comment on table burns is 'Tokens that the platform burned, from finalized balance changes.';
    comment on column burns.kind is 'fee-sweep: fees in the launched token, and the tax on a reward launch''s deposit; buyback and flywheel: bought with revenue.';
    comment on column burns.value_usd is 'What they were worth; null where there was no fresh price.';
    create index burns_of_mint on burns (mint, burned_at desc, id desc);
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
    create trigger burns_fixed before update or delete on burns
      for each row when (not is_correction()) execute function refuse_change();
  `.execute(db);
}

async function createTokenSums(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table burn_sums (
      mint text collate "C" not null,
      kind text not null,
      amount_raw numeric(39, 0) not null,
      value_usd numeric(60, 10) not null,
      burns integer not null,
      unpriced integer not null,
      last_burned_at timestamptz not null,
      primary key (mint, kind)
    );
    comment on table burn_sums is 'Sums of burns by token and kind, kept by a trigger.';

    create function sum_token_burn() returns trigger language plpgsql as $$
    begin
      insert into burn_sums as sums (mint, kind, amount_raw, value_usd, burns, unpriced, last_burned_at)
      values (new.mint, new.kind, new.amount_raw, coalesce(new.value_usd, 0), 1, (new.value_usd is null)::integer, new.burned_at)
      on conflict (mint, kind) do update set amount_raw = sums.amount_raw + excluded.amount_raw,
        value_usd = sums.value_usd + excluded.value_usd, burns = sums.burns + 1,
        unpriced = sums.unpriced + excluded.unpriced,
        last_burned_at = greatest(sums.last_burned_at, excluded.last_burned_at);
      return null;
    end $$;
    create trigger burns_sum_by_token after insert on burns for each row execute function sum_token_burn();
  `.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`
    drop table burn_sums, burn_days, burns;
    drop function sum_burn, sum_token_burn;
  `.execute(db);
}
