import { type Kysely, sql } from 'kysely';

/** Gives a month its table. Locks come in the order in which those who store swaps take them. */
function addSwapMonth(locks: string): string {
  return `
    create or replace function add_swap_month(added smallint) returns void language plpgsql as $$
    declare
      name constant text := swap_month_table(added);
    begin
      lock table only market_swaps in share update exclusive mode;
      if to_regclass(name) is null then
        ${locks}
        execute format('create table %I (like market_swaps including all)', name);
        execute format('with moved as (delete from market_swaps_rest where month = %s returning *) insert into %I select * from moved', added, name);
        execute format('alter table market_swaps attach partition %I for values in (%s)', name, added);
      end if;
    end $$;`;
}

/**
 * Every file of a month is kept in mind, and whether the month changed since it was read. The `market archive` of a release before
 * fails beside it and loses nothing.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
    ${addSwapMonth(`-- Whoever stores swaps has locked their pools before, and a table of swaps refers to these.
        lock table pool_cursors in exclusive mode;
        lock table market_swaps_rest in access exclusive mode;`)}
    comment on table market_swaps_kept is 'Of each pool the last swap that was removed with its month, and the last with a price in USD: what stood from then on.';

    create table swap_month_changes (
      month smallint primary key,
      changes bigint not null default 0,
      changed_by bigint
    );
    comment on table swap_month_changes is 'Months that were written to a file, and how often somebody wrote or removed swaps of them since the first time.';
    comment on column swap_month_changes.changed_by is 'The database transaction that counted last: each counts once.';
    create function note_swap_change() returns trigger language plpgsql as $$
    begin
      update swap_month_changes set changes = changes + 1, changed_by = pg_current_xact_id()::text::bigint
      where month = tg_argv[0]::smallint and changed_by is distinct from pg_current_xact_id()::text::bigint;
      return null;
    end $$;
    comment on function note_swap_change is 'A trigger of the table of a month that was written to a file.';

    alter table swap_archives drop constraint swap_archives_pkey,
      add column number integer generated always as identity primary key,
      add column changes bigint not null default 0;
    comment on table swap_archives is 'Files that months of swaps were written to; removed_at says when the month was removed after that.';
    comment on column swap_archives.changes is 'What swap_month_changes said when the month was read.';`,
    )
    .execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
    delete from swap_archives as less using swap_archives as more where more.month = less.month
      and (more.removed_at is not null, more.until_slot, more.number) > (less.removed_at is not null, less.until_slot, less.number);
    alter table swap_archives drop column number, drop column changes, add primary key (month);
    drop function note_swap_change cascade;
    drop table swap_month_changes;
    ${addSwapMonth('lock table market_swaps_rest in access exclusive mode;')}`,
    )
    .execute(db);
}
