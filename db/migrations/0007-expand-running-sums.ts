import { type Kysely, sql } from 'kysely';

/**
 * Adds sums that triggers keep with each booking, so that no reader sums a ledger: pots of reward coins, and what
 * budgets of purchases have spent. The tables are locked until each sum is filled.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sumPots(db);
  await sumPurchases(db);
  await sql`
    create index burn_sums_newest on burn_sums (last_burned_at);
  `.execute(db);
}

async function sumPots(db: Kysely<unknown>): Promise<void> {
  await sql`
    lock table reward_transactions, reward_corrections in share row exclusive mode;
    create table pot_sums (
      mint text collate "C" primary key references tokens on delete cascade,
      base_raw numeric(39, 0) not null,
      quote_raw numeric(39, 0) not null
    ) with (fillfactor = 70);
    comment on table pot_sums is 'Sums of reward_transactions and reward_corrections by token, kept by triggers: what its pot holds by the books.';

    create function sum_pot() returns trigger language plpgsql as $$
    declare
      base numeric := 0;
      quote numeric := 0;
    begin
      if tg_op <> 'INSERT' then
        base := base - old.base_raw;
        quote := quote - old.quote_raw;
      end if;
      if tg_op <> 'DELETE' then
        base := base + new.base_raw;
        quote := quote + new.quote_raw;
        insert into pot_sums as sums (mint, base_raw, quote_raw) values (new.mint, base, quote)
        on conflict (mint) do update set base_raw = sums.base_raw + base, quote_raw = sums.quote_raw + quote;
      else
        -- Its token may be deleted with it.
        update pot_sums set base_raw = base_raw + base, quote_raw = quote_raw + quote where mint = old.mint;
      end if;
      return null;
    end $$;
    create trigger reward_transactions_added_sum after insert on reward_transactions
      for each row when (new.base_raw <> 0 or new.quote_raw <> 0) execute function sum_pot();
    create trigger reward_transactions_sum after update of base_raw, quote_raw on reward_transactions
      for each row when (old.base_raw <> new.base_raw or old.quote_raw <> new.quote_raw) execute function sum_pot();
    create trigger reward_transactions_removed_sum after delete on reward_transactions
      for each row when (old.base_raw <> 0 or old.quote_raw <> 0) execute function sum_pot();
    create trigger reward_corrections_sum after insert or delete on reward_corrections
      for each row execute function sum_pot();

    insert into pot_sums
    select mint, sum(base_raw), sum(quote_raw) from (
      select mint, base_raw, quote_raw from reward_transactions where state = 'done'
      union all select mint, base_raw, quote_raw from reward_corrections
    ) as moved group by mint;
  `.execute(db);
}

async function sumPurchases(db: Kysely<unknown>): Promise<void> {
  await sql`
    lock table buyback_rounds in share row exclusive mode;
    alter table buyback_budgets add column spent_raw numeric(39, 0) not null default 0;
    comment on column buyback_budgets.spent_raw is 'Sum of the purchases in buyback_rounds, kept by a trigger.';

    create function sum_spent() returns trigger language plpgsql as $$
    declare spent numeric := 0;
    begin
      if tg_op <> 'INSERT' then
        spent := spent - coalesce(old.spent_raw, 0);
      end if;
      if tg_op <> 'DELETE' then
        spent := spent + coalesce(new.spent_raw, 0);
      end if;
      insert into buyback_budgets as sums (kind, quote_mint, spent_raw)
      values (coalesce(new.kind, old.kind), coalesce(new.quote_mint, old.quote_mint), spent)
      on conflict (kind, quote_mint) do update set spent_raw = sums.spent_raw + excluded.spent_raw;
      return null;
    end $$;
    create trigger buyback_rounds_added_spent after insert on buyback_rounds
      for each row when (new.spent_raw <> 0) execute function sum_spent();
    create trigger buyback_rounds_changed_spent after update of spent_raw on buyback_rounds
      for each row when (old.spent_raw is distinct from new.spent_raw) execute function sum_spent();
    create trigger buyback_rounds_removed_spent after delete on buyback_rounds
      for each row when (old.spent_raw <> 0) execute function sum_spent();

    insert into buyback_budgets as sums (kind, quote_mint, spent_raw)
    select kind, quote_mint, sum(spent_raw) from buyback_rounds where spent_raw is not null group by kind, quote_mint
    on conflict (kind, quote_mint) do update set spent_raw = excluded.spent_raw;
  `.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`
    drop index burn_sums_newest;
    drop trigger buyback_rounds_added_spent on buyback_rounds;
    drop trigger buyback_rounds_changed_spent on buyback_rounds;
    drop trigger buyback_rounds_removed_spent on buyback_rounds;
    alter table buyback_budgets drop column spent_raw;
    drop trigger reward_transactions_added_sum on reward_transactions;
    drop trigger reward_transactions_sum on reward_transactions;
    drop trigger reward_transactions_removed_sum on reward_transactions;
    drop trigger reward_corrections_sum on reward_corrections;
    drop table pot_sums;
    drop function sum_pot, sum_spent;
  `.execute(db);
}
