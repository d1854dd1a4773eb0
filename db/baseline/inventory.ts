import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table pair_inventory (
      mint text collate "C" primary key references pairs on delete cascade,
      reserve_raw numeric(39, 0) not null default 0 check (reserve_raw >= 0),
      restock_below_raw numeric(39, 0) check (restock_below_raw > 0),
      restock_to_raw numeric(39, 0),
      hour_raw numeric(39, 0) check (hour_raw >= 0),
      constraint pair_inventory_restock check ((restock_below_raw is null) = (restock_to_raw is null)),
      constraint pair_inventory_restock_to check (restock_to_raw >= restock_below_raw)
    );
    comment on column pair_inventory.reserve_raw is 'Quote tokens that dev buys never take. A pair without a row has none.';
    comment on column pair_inventory.restock_below_raw is 'Fewer available quote tokens are bought again; null: never.';
    comment on column pair_inventory.restock_to_raw is 'How many shall be available after a restock.';
    comment on column pair_inventory.hour_raw is 'Most quote tokens that dev buys take within an hour; null: DEV_BUY_HOUR_USD bounds them.';
  `.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table pair_inventory`.execute(db);
}
