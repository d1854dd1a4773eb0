import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await createTokens(db);
  await createRounds(db);
  await createSnapshots(db);
  await createTransactions(db);
  await createPayouts(db);
  await createPaidHolders(db);
  await createLeftOut(db);
  await createCorrections(db);
  await createHeldAccounts(db);
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
    create index reward_tokens_looked on reward_tokens (looked_at, mint);

    create function note_pot() returns trigger language plpgsql as $$
    begin
      perform note_wallet('pot', new.pot, new.mint, 'used', created_slot) from tokens where mint = new.mint;
      return null;
    end $$;
    create trigger reward_tokens_note_pot after insert on reward_tokens for each row execute function note_pot();
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
      window_slot bigint,
      window_slots integer check (window_slots > 0),
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
      minimum_raw numeric(100, 0),
      least_payout_raw numeric(100, 0),
      sealed_root text collate "C" references proof_documents,
      constraint reward_rounds_state check (state in ('observing', 'collecting', 'selling', 'sealing', 'paying', 'done')),
      constraint reward_rounds_sealed check (state <> 'sealing' or sealed_root is not null),
      constraint reward_rounds_ended check ((ended_at is null) = (state <> 'done')),
      constraint reward_rounds_window check ((window_slot is null) = (window_slots is null)),
      constraint reward_rounds_observing check (state <> 'observing' or window_slot is not null),
      constraint reward_rounds_problem check ((problem is null) = (problem_at is null))
    );
    create unique index reward_rounds_number on reward_rounds (mint, number);
    comment on column reward_rounds.number is 'The id follows from token and number, from 1.';
    comment on column reward_rounds.opened_slot is 'Finalized slot at the plan: no transaction of the round landed before it.';
    comment on column reward_rounds.window_slot is 'First slot of the window that balances are observed in; null for a round that only the chain showed.';
    comment on column reward_rounds.window_slots is 'Length of the window.';
    comment on column reward_rounds.sell_at is 'Drawn at random within the window of the sale, when the collection is planned.';
    comment on column reward_rounds.sale_average is 'Average price that the sale was judged by, quote tokens per token.';
    comment on column reward_rounds.sale_note is 'Why nothing, or not all, was sold.';
    comment on column reward_rounds.average_price is 'Average price that holdings were valued by, quote tokens per token.';
    comment on column reward_rounds.quote_usd is 'Prices that holdings, payouts and rent were valued by.';
    comment on column reward_rounds.budget_raw is 'Quote tokens that were divided, raw units.';
    comment on column reward_rounds.holders is 'Owners that held enough at every observation.';
    comment on column reward_rounds.note is 'Why no holder was paid, or how else the round came to its end.';
    comment on column reward_rounds.problem is 'Why the last step failed; null since one succeeded.';
    comment on column reward_rounds.minimum_raw is 'Less of the token than this at an observation earned nothing, raw units.';
    comment on column reward_rounds.sealed_root is 'The document of the round: its plan as it is sealed on the chain before the first payout is signed.';
    comment on column reward_rounds.least_payout_raw is 'What a payout had to bring, raw quote units.';
    create unique index reward_rounds_open on reward_rounds (mint) where state <> 'done';
    create index reward_rounds_of_token on reward_rounds (mint, planned_at desc);
    create index reward_rounds_ended on reward_rounds (ended_at) where ended_at is not null;
    create index reward_rounds_planned on reward_rounds (planned_at desc);
  `.execute(db);
}

async function createSnapshots(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table reward_snapshots (
      round_id uuid not null references reward_rounds on delete cascade,
      n integer not null check (n between 0 and 2),
      slot bigint not null,
      blockhash text collate "C" not null,
      read_slot bigint not null,
      answer_slots bigint[] not null,
      quorum integer not null check (quorum > 0),
      balances jsonb,
      withheld jsonb,
      primary key (round_id, n),
      constraint reward_snapshots_read check (read_slot >= slot),
      constraint reward_snapshots_answers check (cardinality(answer_slots) >= quorum)
    );
    comment on column reward_snapshots.slot is 'Slot of the drawn block, from which on the balances count.';
    comment on column reward_snapshots.blockhash is 'Of that block.';
    comment on column reward_snapshots.read_slot is 'Slot that a quorum of the answers reached.';
    comment on column reward_snapshots.answer_slots is 'Finalized slot of the answer of each endpoint.';
    comment on column reward_snapshots.quorum is 'A balance is the one at this place among those of the answers, the largest first.';
    comment on column reward_snapshots.balances is 'Raw units by owner; removed when the round has ended.';
    comment on column reward_snapshots.withheld is 'Raw units of withheld tax by token account, of the last observation alone; removed when the round has ended.';
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
      root text collate "C" check (root ~ '^[0-9a-f]{64}$'),
      primary key (round_id, n),
      constraint reward_transactions_root check (root is null or (kind = 'seal' and state = 'done')),
      constraint reward_transactions_kind check (kind in ('tax', 'excess', 'harvest', 'sale', 'seal', 'payout')),
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
    comment on column reward_transactions.root is 'Root that a finalized seal names, as its signed bytes say.';

    create function note_pot_movement() returns trigger language plpgsql as $$
    declare entry statement_rows;
    begin
      select pot into entry.account from reward_tokens where mint = new.mint;
      if entry.account is not null then
        entry.kind := new.kind;
        entry.mint := new.mint;
        entry.round_id := new.round_id;
        entry.signature := new.signature;
        entry.slot := new.slot;
        entry.landed_at := new.landed_at;
        entry.base_raw := new.base_raw;
        entry.quote_raw := new.quote_raw;
        perform note_statement_row(entry);
      end if;
      return null;
    end $$;
    create trigger reward_transactions_statement after update of state on reward_transactions
      for each row when (new.state = 'done' and old.state <> 'done' and new.kind <> 'seal') execute function note_pot_movement();
    create index reward_transactions_ledger on reward_transactions (mint) include (base_raw, quote_raw) where state = 'done';
    create unique index reward_transactions_seal on reward_transactions (round_id) where kind = 'seal' and state <> 'void';
    create index reward_transactions_root on reward_transactions (root) where root is not null;
    create index reward_transactions_excess on reward_transactions (mint) where kind = 'excess';
    create index reward_transactions_planned on reward_transactions (round_id) where state = 'planned';
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
      fault text,
      paid_at timestamptz,
      primary key (round_id, owner),
      foreign key (round_id, n) references reward_transactions on delete cascade,
      constraint reward_payouts_kind check (kind in ('holder', 'rent')),
      constraint reward_payouts_state check (state in ('planned', 'paid', 'void')),
      constraint reward_payouts_paid_at check ((state = 'paid') = (paid_at is not null)),
      constraint reward_payouts_fault
        check (fault in ('accountClosed', 'accountForeign', 'accountFrozen', 'accountNeedsMemo'))
    );
    comment on column reward_payouts.n is 'Transaction of the round that pays it.';
    comment on column reward_payouts.balance_raw is 'The least the owner held at the observations, raw units.';
    comment on column reward_payouts.amount_raw is 'Quote tokens that are sent, raw units.';
    comment on column reward_payouts.rent_raw is 'Deducted for the account that is opened, raw quote units; 0 where there was one.';
    comment on column reward_payouts.fault is 'Why the account took nothing when the transaction was built; counts where it was not paid.';
    comment on column reward_payouts.paid_at is 'When its transaction landed: a copy, for the list of a wallet''s payouts.';
    create index reward_payouts_batch on reward_payouts (round_id, n);
    create index reward_payouts_of_owner on reward_payouts (owner, paid_at, round_id) where state = 'paid' and kind = 'holder';
  `.execute(db);
}

/** Creates the holders that were ever paid; no reader counts all payouts. */
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

async function createLeftOut(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table reward_left_out (
      round_id uuid not null references reward_rounds on delete cascade,
      owner text collate "C" not null,
      reason text not null,
      balance_raw numeric(20, 0) not null,
      primary key (round_id, owner)
    );
    comment on table reward_left_out is 'Owners who held enough at an observation and got nothing of a round; of a crowd those that held most.';
    comment on column reward_left_out.balance_raw is 'The least the owner held at the observations, raw units.';
    create index reward_left_out_listed on reward_left_out (round_id, balance_raw desc, owner);

    create table reward_left_out_counts (
      round_id uuid not null references reward_rounds on delete cascade,
      reason text not null,
      owners integer not null check (owners > 0),
      primary key (round_id, reason),
      constraint reward_left_out_counts_reason check (reason in (
        'belowMinimum', 'notThroughout', 'pool', 'platformWallet', 'burnAddress', 'offCurve', 'programOwned', 'belowLeastPayout',
        'accountClosed', 'accountForeign', 'accountFrozen', 'accountNeedsMemo', 'closedByOperator', 'notRecorded'))
    );
    comment on table reward_left_out_counts is 'How many got nothing of a round, by reason: all of them, with or without a row.';
    alter table reward_left_out add foreign key (round_id, reason) references reward_left_out_counts on delete cascade;
  `.execute(db);
}

async function createCorrections(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table reward_corrections (
      id bigint generated always as identity primary key,
      mint text collate "C" not null references tokens on delete cascade,
      base_raw numeric(39, 0) not null,
      quote_raw numeric(39, 0) not null,
      corrected_at timestamptz not null default now(),
      constraint reward_corrections_something check (base_raw <> 0 or quote_raw <> 0)
    );
    comment on table reward_corrections is 'What an operator took out of the books of a pot because the chain has not got it. Part of the sums of reward_transactions.';
    create index reward_corrections_of_mint on reward_corrections (mint) include (base_raw, quote_raw);

    create function note_pot_correction() returns trigger language plpgsql as $$
    declare entry statement_rows;
    begin
      select pot into entry.account from reward_tokens where mint = new.mint;
      if entry.account is not null then
        entry.kind := 'correction';
        entry.mint := new.mint;
        entry.base_raw := new.base_raw;
        entry.quote_raw := new.quote_raw;
        perform note_statement_row(entry);
      end if;
      return null;
    end $$;
    create trigger reward_corrections_statement after insert on reward_corrections
      for each row execute function note_pot_correction();
    create trigger reward_corrections_fixed before update on reward_corrections for each row execute function refuse_change();
  `.execute(db);
}

async function createHeldAccounts(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table held_accounts (
      mint text collate "C" not null references tokens on delete cascade,
      account text collate "C" not null,
      slot bigint not null check (slot >= 0),
      primary key (mint, account)
    );
    comment on table held_accounts is 'Token accounts of reward coins that held something. Some may be missing and some empty: readers compare their sum with the supply.';
    comment on column held_accounts.slot is 'Slot in which it was seen to hold something.';
  `.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`
    drop index tokens_rewarded;
    drop table held_accounts, reward_corrections, reward_left_out, reward_left_out_counts, reward_holders, reward_payouts, reward_transactions, reward_snapshots, reward_rounds, reward_tokens;
    drop function note_paid_holders, note_pot, note_pot_movement, note_pot_correction;
  `.execute(db);
}
