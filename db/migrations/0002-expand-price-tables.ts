import { type Kysely, sql } from 'kysely';

/**
 * Adds what reward rounds are planned by: prices of sealed logs, and token accounts beside the associated one.
 *
 * Databases that were made between 0.1.0 and this migration have the columns already. A log that 0.1.0 wrote has no
 * prices, and its seal may still be under way.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table sealed_logs add column if not exists prices jsonb;
    alter table sealed_logs drop constraint sealed_logs_content;
    alter table sealed_logs add constraint sealed_logs_content check (
      (receipt_count is null) = (wallet_count is null) and (receipt_count is null) = (wallet_root is null)
      and (receipt_count is not null or prices is null)
    );
    comment on table sealed_logs is 'Logs of receipts, of the list of wallets and of prices; each is sealed on the chain once.';
    comment on column sealed_logs.prices is 'In USD, of the quote tokens of open reward rounds and of SOL: as in the document. Null: the document has none.';

    alter table reward_snapshots add column if not exists other_accounts jsonb;
    comment on column reward_snapshots.other_accounts is 'Token accounts beside the associated one by owner, or "+" for too many; removed when the round has ended.';
  `.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table reward_snapshots drop column other_accounts;
    alter table sealed_logs drop constraint sealed_logs_content;
    alter table sealed_logs drop column prices;
    alter table sealed_logs add constraint sealed_logs_content check (
      (receipt_count is null) = (wallet_count is null) and (receipt_count is null) = (wallet_root is null)
    );
    comment on table sealed_logs is 'Logs of receipts and of the list of wallets; each is sealed on the chain once.';
  `.execute(db);
}
