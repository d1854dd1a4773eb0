import { type Kysely, sql } from 'kysely';

/**
 * Creates the public statements of pots and budgets. Triggers append a row where a movement is booked. Numbers are given
 * under a lock that is held until commit, so that rows become visible in order and without gaps: a page that was full
 * never changes.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table statement_rows (
      account text collate "C" not null,
      number integer not null check (number > 0),
      kind text not null,
      mint text collate "C" not null,
      round_id uuid,
      signature text collate "C",
      slot bigint check (slot >= 0),
      landed_at timestamptz,
      value_usd numeric(40, 10),
      booked_at timestamptz not null default clock_timestamp(),
      base_raw numeric(39, 0) not null,
      quote_raw numeric(39, 0) not null,
      harvested_raw numeric(39, 0),
      share_bps integer check (share_bps between 1 and 10000),
      total_base_in_raw numeric(39, 0) not null,
      total_base_out_raw numeric(39, 0) not null,
      total_quote_in_raw numeric(39, 0) not null,
      total_quote_out_raw numeric(39, 0) not null,
      primary key (account, number),
      constraint statement_rows_kind check (kind in ('tax', 'excess', 'harvest', 'sale', 'payout', 'correction', 'share', 'purchase')),
      constraint statement_rows_signature check ((signature is null) = (kind = 'correction') and (signature is null) = (slot is null)),
      constraint statement_rows_share check ((kind = 'share') = (harvested_raw is not null) and (kind = 'share') = (share_bps is not null))
    );
    comment on table statement_rows is 'Movements of pots and budgets, in the order of their bookings. Append only.';
    comment on column statement_rows.account is 'The pot, or kind and quote token of a budget as buyback/MINT, of all revenue as revenue/MINT.';
    comment on column statement_rows.landed_at is 'Block time; null where the booking does not keep it.';
    comment on column statement_rows.value_usd is 'Of a harvest as it is booked as revenue; null for all others, and without a price.';
    comment on column statement_rows.mint is 'The coin that the movement is about.';
    comment on column statement_rows.base_raw is 'Change of the pot''s coins, raw units; 0 for a budget.';
    comment on column statement_rows.quote_raw is 'Change of the quote tokens, raw units.';
    comment on column statement_rows.harvested_raw is 'Of a share: the harvest that it is of, raw quote units.';
    comment on column statement_rows.total_base_in_raw is 'Totals are of this row and all before it.';
    create trigger statement_rows_append_only before update or delete on statement_rows
      for each row execute function refuse_change();

    create function note_statement_row(entry statement_rows) returns void language plpgsql set enable_seqscan = off as $$
    declare last statement_rows;
    begin
      perform pg_advisory_xact_lock(hashtextextended('statement/' || entry.account, 0));
      select * into last from statement_rows where account = entry.account order by number desc limit 1;
      entry.number := coalesce(last.number, 0) + 1;
      entry.booked_at := clock_timestamp();
      entry.total_base_in_raw := coalesce(last.total_base_in_raw, 0) + greatest(entry.base_raw, 0);
      entry.total_base_out_raw := coalesce(last.total_base_out_raw, 0) - least(entry.base_raw, 0);
      entry.total_quote_in_raw := coalesce(last.total_quote_in_raw, 0) + greatest(entry.quote_raw, 0);
      entry.total_quote_out_raw := coalesce(last.total_quote_out_raw, 0) - least(entry.quote_raw, 0);
      insert into statement_rows select entry.*;
    end $$;
    comment on function note_statement_row is 'Appends a row; number, moment and totals are its own to set.';
  `.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`
    drop function note_statement_row;
    drop table statement_rows;
  `.execute(db);
}
