import { type Kysely, sql } from 'kysely';

/** What the comparison of books and chain found last, and how wrong books are corrected. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createFindings(db);
  await createCorrections(db);
  await allowCorrections(db);
}

async function createFindings(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table book_findings (
      kind text collate "C" not null,
      subject text collate "C" not null,
      books text not null,
      chain text not null,
      first_seen_at timestamptz not null default now(),
      last_seen_at timestamptz not null default now(),
      primary key (kind, subject)
    );
    comment on table book_findings is 'Differences between books and chain as of the last comparison; one that is gone is deleted.';

    create table book_checks (
      singleton boolean primary key default true check (singleton),
      ended_at timestamptz not null
    );
    comment on table book_checks is 'When books and chain were last compared.';
    create index chain_transactions_ended on chain_transactions (settled_at) where lane is null and settled_at is not null;
    create index reward_rounds_ended on reward_rounds (ended_at) where ended_at is not null;
    create index reward_transactions_planned on reward_transactions (round_id) where state = 'planned';
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
    create trigger reward_corrections_fixed before update on reward_corrections for each row execute function refuse_change();
  `.execute(db);
}

/** Final is final, unless a correction says so in its own database transaction: see db/money/corrections.ts. */
async function allowCorrections(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function is_correction() returns boolean language sql stable as
      $$ select coalesce(current_setting('slipway.correction', true), '') = 'on' $$;

    drop trigger chain_transactions_change on chain_transactions;
    create trigger chain_transactions_change before update on chain_transactions
      for each row when (not is_correction()) execute function check_chain_transaction_change();

    drop trigger burns_fixed on burns;
    create trigger burns_fixed before update or delete on burns
      for each row when (not is_correction()) execute function refuse_change();
  `.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`
    drop trigger burns_fixed on burns;
    create trigger burns_fixed before update or delete on burns for each row execute function refuse_change();
    drop trigger chain_transactions_change on chain_transactions;
    create trigger chain_transactions_change before update on chain_transactions
      for each row execute function check_chain_transaction_change();
    drop function is_correction;
    drop index chain_transactions_ended, reward_rounds_ended, reward_transactions_planned;
    drop table reward_corrections, book_checks, book_findings;
  `.execute(db);
}
