import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table restock_rounds (
      id uuid primary key,
      mint text collate "C" not null references pairs,
      state text not null default 'open',
      seed_id text not null,
      lamports bigint not null check (lamports > 0),
      budget_lamports bigint not null,
      sol_usd numeric(50, 20) not null check (sol_usd > 0),
      quote_usd numeric(50, 20) not null check (quote_usd > 0),
      price_source text not null,
      priced_at timestamptz not null,
      planned_at timestamptz not null default now(),
      signature text collate "C",
      spent_lamports bigint,
      received_raw numeric(39, 0),
      reason text,
      agreed_raw numeric(39, 0),
      cleared_at timestamptz,
      settled_at timestamptz,
      constraint restock_rounds_state check (state in ('open', 'done', 'short', 'skipped', 'failed')),
      constraint restock_rounds_budget check (budget_lamports >= lamports),
      constraint restock_rounds_settled check ((settled_at is null) = (state = 'open')),
      constraint restock_rounds_done check (state not in ('done', 'short') or (signature is not null and spent_lamports is not null and received_raw is not null)),
      constraint restock_rounds_reason check ((reason is not null) = (state in ('short', 'skipped', 'failed'))),
      constraint restock_rounds_cleared check (cleared_at is null or state = 'short')
    );
    comment on column restock_rounds.seed_id is 'Launch seed of the wallet that swaps.';
    comment on column restock_rounds.lamports is 'What is swapped.';
    comment on column restock_rounds.budget_lamports is 'Most the treasury may lose by it, with rent and fees.';
    comment on column restock_rounds.sol_usd is 'Prices that the amount follows from.';
    comment on column restock_rounds.spent_lamports is 'What the treasury lost, from the finalized transaction''s balance changes.';
    comment on column restock_rounds.received_raw is 'Quote tokens that the treasury got, from the same.';
    comment on column restock_rounds.agreed_raw is 'Least quote tokens that the treasury gets by what was signed; null before.';
    comment on column restock_rounds.cleared_at is 'When an operator let the pair be bought again.';
    create index restock_rounds_short on restock_rounds (mint) where state = 'short' and cleared_at is null;
    create unique index restock_rounds_open on restock_rounds (mint) where state = 'open';
    create index restock_rounds_planned on restock_rounds (planned_at);
    create index restock_rounds_of_pair on restock_rounds (mint, planned_at desc);
  `.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table restock_rounds`.execute(db);
}
