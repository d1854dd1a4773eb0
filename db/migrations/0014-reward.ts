import { type Kysely, sql } from 'kysely';

/** Holder rewards: rounds, what their transactions moved, the balances that were observed, and who gets how much. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createTokens(db);
  await createRounds(db);
  await createSnapshots(db);
  await createTransactions(db);
  await createPayouts(db);
  await createPaidHolders(db);
}

async function createTokens(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table reward_tokens (
      mint text collate "C" primary key references tokens on delete cascade,
      seed_id text not null,
      pot text collate "C" not null unique,
      looked_at timestamptz not null default now(),
      paid_raw numeric(39, 0) not null default 0,
      paid_usd numeric(50, 10) not null default 0,
      transactions integer not null default 0,
      rounds integer not null default 0,
      payouts integer not null default 0,
      holders integer not null default 0,
      last_paid_at timestamptz
    );
    comment on table reward_tokens is 'Reward tokens that were looked at, and what their holders got in all.';
    comment on column reward_tokens.seed_id is 'Launch seed of the key of the pot.';
    comment on column reward_tokens.pot is 'Wallet through which the rewards of this token go, and of no other.';
    comment on column reward_tokens.looked_at is 'When a round was planned, or found not to be due.';
    comment on column reward_tokens.paid_raw is 'Quote tokens that left the pot for holders, raw units.';
    comment on column reward_tokens.payouts is 'Payments to wallets, summed over transactions.';
    comment on column reward_tokens.holders is 'Wallets that were ever paid.';
    create index reward_tokens_paid on reward_tokens (paid_usd desc, mint) where transactions > 0;
    create index tokens_rewarded on tokens (mint) where mode = 'reward' and withdrawn_at is null;
  `.execute(db);
}

async function createRounds(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table reward_rounds (
      id uuid primary key,
      mint text collate "C" not null references tokens on delete cascade,
      number integer not null check (number > 0),
      state text not null,
      opened_slot bigint not null,
      sell_at timestamptz,
      planned_at timestamptz not null default now(),
      sale_average numeric(60, 30),
      sale_note text,
      average_price numeric(60, 30),
      quote_usd numeric(50, 20),
      sol_usd numeric(50, 20),
      price_source text,
      priced_at timestamptz,
      budget_raw numeric(39, 0),
      holders integer,
      note text,
      problem text,
      problem_at timestamptz,
      tries integer not null default 0,
      ended_at timestamptz,
      constraint reward_rounds_state check (state in ('observing', 'collecting', 'selling', 'paying', 'done')),
      constraint reward_rounds_ended check ((ended_at is null) = (state <> 'done')),
      constraint reward_rounds_problem check ((problem is null) = (problem_at is null))
    );
    create unique index reward_rounds_number on reward_rounds (mint, number);
    comment on column reward_rounds.number is 'The id follows from token and number, from 1.';
    comment on column reward_rounds.opened_slot is 'Finalized slot at the plan: no transaction of the round landed before it.';
    comment on column reward_rounds.sell_at is 'Drawn at random within the window of the sale, when the collection is planned.';
    comment on column reward_rounds.sale_average is 'Average price that the sale was judged by, quote tokens per token.';
    comment on column reward_rounds.sale_note is 'Why nothing, or not all, was sold.';
    comment on column reward_rounds.average_price is 'Average price that holdings were valued by, quote tokens per token.';
    comment on column reward_rounds.quote_usd is 'Prices that holdings, payouts and rent were valued by.';
    comment on column reward_rounds.budget_raw is 'Quote tokens that were divided, raw units.';
    comment on column reward_rounds.holders is 'Owners that held enough at every observation.';
    comment on column reward_rounds.note is 'Why nobody was paid, or how else the round came to its end.';
    comment on column reward_rounds.problem is 'Why the last step failed; null since one succeeded.';
    create unique index reward_rounds_open on reward_rounds (mint) where state <> 'done';
    create index reward_rounds_of_token on reward_rounds (mint, planned_at desc);
    create index reward_rounds_planned on reward_rounds (planned_at desc);
  `.execute(db);
}

async function createSnapshots(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table reward_snapshots (
      round_id uuid not null references reward_rounds on delete cascade,
      n integer not null check (n between 0 and 2),
      seen_slot bigint not null,
      blockhash text collate "C" not null,
      slot bigint not null,
      read_slot bigint,
      balances jsonb,
      primary key (round_id, n),
      constraint reward_snapshots_slot check (slot >= seen_slot),
      constraint reward_snapshots_read check (read_slot is null or read_slot >= slot)
    );
    comment on column reward_snapshots.blockhash is 'Finalized blockhash of seen_slot, which slot was drawn from.';
    comment on column reward_snapshots.slot is 'Slot from which on the balances count.';
    comment on column reward_snapshots.read_slot is 'Finalized slot of the answer that the balances were read in.';
    comment on column reward_snapshots.balances is 'Raw units by owner; removed when the round has ended.';
  `.execute(db);
}

async function createTransactions(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table reward_transactions (
      round_id uuid not null references reward_rounds on delete cascade,
      n integer not null check (n >= 0),
      mint text collate "C" not null references tokens on delete cascade,
      kind text not null,
      state text not null default 'planned',
      sources text[],
      base_raw numeric(39, 0) not null default 0,
      quote_raw numeric(39, 0) not null default 0,
      paid_raw numeric(39, 0) not null default 0,
      recipients integer not null default 0,
      value_usd numeric(40, 10),
      signature text collate "C" unique,
      slot bigint,
      landed_at timestamptz,
      primary key (round_id, n),
      constraint reward_transactions_kind check (kind in ('tax', 'excess', 'harvest', 'sale', 'payout')),
      constraint reward_transactions_state check (state in ('planned', 'done', 'void')),
      constraint reward_transactions_done check ((state = 'done') = (signature is not null)),
      constraint reward_transactions_slot check ((signature is null) = (slot is null) and (signature is null) = (landed_at is null)),
      constraint reward_transactions_moved check (state = 'done' or (base_raw = 0 and quote_raw = 0 and paid_raw = 0))
    );
    comment on table reward_transactions is 'What went into and out of the pots, from finalized balance changes. The budgets are sums of it.';
    comment on column reward_transactions.sources is 'Token accounts whose withheld tax is withdrawn.';
    comment on column reward_transactions.base_raw is 'Change of the pot''s tokens, raw units.';
    comment on column reward_transactions.quote_raw is 'Change of the pot''s quote tokens, raw units.';
    comment on column reward_transactions.paid_raw is 'Quote tokens that left for holders, raw units.';
    create index reward_transactions_ledger on reward_transactions (mint) include (base_raw, quote_raw) where state = 'done';
    create index reward_transactions_excess on reward_transactions (mint) where kind = 'excess';
    create index reward_transactions_paid on reward_transactions (landed_at desc, signature) where state = 'done' and kind = 'payout';
  `.execute(db);
}

async function createPayouts(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table reward_payouts (
      round_id uuid not null references reward_rounds on delete cascade,
      owner text collate "C" not null,
      kind text not null default 'holder',
      n integer not null,
      state text not null default 'planned',
      balance_raw numeric(20, 0) not null,
      amount_raw numeric(39, 0) not null check (amount_raw > 0),
      rent_raw numeric(39, 0) not null,
      primary key (round_id, owner),
      foreign key (round_id, n) references reward_transactions on delete cascade,
      constraint reward_payouts_kind check (kind in ('holder', 'rent')),
      constraint reward_payouts_state check (state in ('planned', 'paid', 'void'))
    );
    comment on column reward_payouts.n is 'Transaction of the round that pays it.';
    comment on column reward_payouts.balance_raw is 'The least the owner held at the observations, raw units.';
    comment on column reward_payouts.amount_raw is 'Quote tokens that are sent, raw units.';
    comment on column reward_payouts.rent_raw is 'Deducted for the account that is opened, raw quote units; 0 where there was one.';
    create index reward_payouts_batch on reward_payouts (round_id, n);
  `.execute(db);
}

/** Who was ever paid, so that nobody has to count it over all payouts. */
async function createPaidHolders(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table reward_holders (
      mint text collate "C" not null references tokens on delete cascade,
      owner text collate "C" not null,
      primary key (mint, owner)
    );
    comment on table reward_holders is 'Wallets that were ever paid rewards of a token; a trigger on reward_payouts adds them.';

    create function note_paid_holders() returns trigger language plpgsql as $$
    begin
      with added as (
        insert into reward_holders (mint, owner)
        select distinct r.mint, p.owner from changed p join reward_rounds r on r.id = p.round_id
        where p.state = 'paid' and p.kind = 'holder'
        on conflict do nothing returning mint
      )
      update reward_tokens t set holders = t.holders + counted.holders
      from (select mint, count(*) as holders from added group by mint) as counted where counted.mint = t.mint;
      return null;
    end $$;
    create trigger reward_payouts_paid after update on reward_payouts referencing new table as changed
      for each statement execute function note_paid_holders();
  `.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`
    drop index tokens_rewarded;
    drop table reward_holders, reward_payouts, reward_transactions, reward_snapshots, reward_rounds, reward_tokens;
    drop function note_paid_holders;
  `.execute(db);
}
