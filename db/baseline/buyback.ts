import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await createBudgets(db);
  await createRounds(db);
  await createRanking(db);
}

async function createBudgets(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table buyback_budgets (
      kind text not null,
      quote_mint text collate "C" not null,
      allocated_raw numeric(39, 0) not null default 0 check (allocated_raw >= 0),
      problem text,
      primary key (kind, quote_mint),
      constraint buyback_budgets_kind check (kind in ('buyback', 'flywheel'))
    );
    comment on table buyback_budgets is 'Shares of all harvests that are for buying and burning, by quote token; what was spent of them is in buyback_rounds.';
    comment on column buyback_budgets.allocated_raw is 'Kept by the trigger of fee_harvests; the share of each harvest is rounded down.';
    comment on column buyback_budgets.problem is 'Why the last round left it alone.';
  `.execute(db);
}

async function createRounds(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table buyback_rounds (
      id text collate "C" primary key,
      kind text not null,
      mint text collate "C" not null references tokens,
      number integer not null check (number > 0),
      quote_mint text collate "C" not null,
      state text not null default 'planned',
      most_raw numeric(20, 0) not null check (most_raw > 0),
      quote_usd numeric(50, 20) check (quote_usd > 0),
      price_source text,
      priced_at timestamptz,
      average_price numeric(60, 30) check (average_price > 0),
      spent_raw numeric(20, 0) check (spent_raw >= 0),
      bought_raw numeric(20, 0) check (bought_raw >= 0),
      signature text collate "C" unique,
      slot bigint check (slot >= 0),
      planned_at timestamptz not null default now(),
      tries integer not null default 0,
      problem text,
      settled_at timestamptz,
      unique (kind, mint, number),
      constraint buyback_rounds_kind check (kind in ('buyback', 'flywheel')),
      constraint buyback_rounds_state check (state in ('planned', 'bought', 'done')),
      constraint buyback_rounds_bought check (
        (state = 'planned') = (spent_raw is null) and (spent_raw is null) = (bought_raw is null)
        and (spent_raw is null) = (signature is null) and (spent_raw is null) = (slot is null)
      ),
      constraint buyback_rounds_settled check ((settled_at is not null) = (state = 'done')),
      constraint buyback_rounds_price check ((quote_usd is null) = (priced_at is null) and (quote_usd is null) = (price_source is null))
    );
    comment on table buyback_rounds is 'Purchases with revenue, from plan to burn.';
    comment on column buyback_rounds.most_raw is 'Most that the swap may spend.';
    comment on column buyback_rounds.quote_usd is 'USD per whole quote token when it was planned; null where there was no fresh price.';
    comment on column buyback_rounds.average_price is 'Quote tokens per token by which the swap was judged.';
    comment on column buyback_rounds.spent_raw is 'What the finalized swap took of the treasury''s quote tokens.';
    comment on column buyback_rounds.bought_raw is 'What it brought, after a transfer tax: exactly this is burned.';
    comment on column buyback_rounds.signature is 'Of the swap.';
    comment on column buyback_rounds.problem is 'Why the last try did not get to the end.';

    create function note_purchase() returns trigger language plpgsql as $$
    declare entry statement_rows;
    begin
      entry.account := new.kind || '/' || new.quote_mint;
      entry.kind := 'purchase';
      entry.mint := new.mint;
      entry.signature := new.signature;
      entry.slot := new.slot;
      entry.base_raw := 0;
      entry.quote_raw := -new.spent_raw;
      perform note_statement_row(entry);
      return null;
    end $$;
    create trigger buyback_rounds_added_statement after insert on buyback_rounds
      for each row when (new.spent_raw is not null) execute function note_purchase();
    create trigger buyback_rounds_statement after update of spent_raw on buyback_rounds
      for each row when (new.spent_raw is not null and old.spent_raw is null) execute function note_purchase();
    create unique index buyback_rounds_open on buyback_rounds (kind, mint) where state <> 'done';
    create index buyback_rounds_spent on buyback_rounds (kind, quote_mint) include (spent_raw);
    create index buyback_rounds_newest on buyback_rounds (planned_at desc, id desc);
  `.execute(db);
}

async function createRanking(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table flywheel_tokens (
      mint text collate "C" primary key references tokens,
      rank integer not null check (rank > 0),
      revenue_usd numeric(60, 10) not null check (revenue_usd > 0),
      ranked_at timestamptz not null default now()
    );
    comment on table flywheel_tokens is 'The tokens of the highest fee revenue when they were last ranked; triggers keep token_markets.flywheel in step.';

    create function mark_flywheel() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        update token_markets set flywheel = true where mint = new.mint and not flywheel;
      else
        update token_markets set flywheel = false where mint = old.mint;
      end if;
      return null;
    end $$;
    create trigger flywheel_tokens_mark after insert or delete on flywheel_tokens for each row execute function mark_flywheel();
  `.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`
    drop table flywheel_tokens, buyback_rounds, buyback_budgets;
    drop function mark_flywheel, note_purchase;
  `.execute(db);
}
