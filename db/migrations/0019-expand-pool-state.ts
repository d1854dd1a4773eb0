import { type Kysely, sql } from 'kysely';

/** What the figures of a pool are computed of beside its price, so that another price of its quote token needs no look at the chain. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table pool_cursors
      add column state_slot bigint,
      add column supply_raw numeric(20, 0),
      add column base_vault_raw numeric(20, 0),
      add column quote_vault_raw numeric(20, 0),
      add column price_usd_before numeric(60, 30);
    comment on column pool_cursors.state_slot is 'Slot of the amounts beside it; they are of use while the token''s figures are of the same slot.';
    comment on column pool_cursors.supply_raw is 'Supply of the token, raw units.';
    comment on column pool_cursors.base_vault_raw is 'Balance of the vault of the token, raw units.';
    comment on column pool_cursors.quote_vault_raw is 'Balance of the vault of the quote token, raw units.';
    comment on column pool_cursors.price_usd_before is 'What the change of the day is measured against; null where unknown.';
  `.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table pool_cursors
      drop column state_slot, drop column supply_raw, drop column base_vault_raw, drop column quote_vault_raw,
      drop column price_usd_before;
  `.execute(db);
}
