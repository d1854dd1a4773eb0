import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { fillTables } from '../support/db/fill-tables.ts';
import { useDatabase } from '../support/db/use-database.ts';

const { db } = useDatabase();

/** Rows of which sums and recount differ. */
async function differencesOf(recount: ReturnType<typeof sql>, sums: ReturnType<typeof sql>): Promise<unknown[]> {
  const { rows } = await sql`
    with recount as (${recount}), sums as (${sums})
    (select * from recount except select * from sums) union all (select * from sums except select * from recount)`.execute(
    db(),
  );
  return rows;
}

const pots = () =>
  differencesOf(
    sql`select mint, sum(base_raw)::numeric(39, 0), sum(quote_raw)::numeric(39, 0) from (
        select mint, base_raw, quote_raw from reward_transactions where state = 'done'
        union all select mint, base_raw, quote_raw from reward_corrections
      ) as moved group by mint having sum(base_raw) <> 0 or sum(quote_raw) <> 0`,
    sql`select mint, base_raw, quote_raw from pot_sums where base_raw <> 0 or quote_raw <> 0`,
  );

const budgets = () =>
  differencesOf(
    sql`select kind, quote_mint, sum(spent_raw)::numeric(39, 0) from buyback_rounds group by 1, 2 having sum(spent_raw) > 0`,
    sql`select kind, quote_mint, spent_raw from buyback_budgets where spent_raw > 0`,
  );

describe('sums that triggers keep equal a recount', () => {
  beforeAll(() => fillTables(db(), 200, 20));

  it.each([
    ['as they were filled', sql`select`],
    ['after bookings', sql`update reward_transactions set base_raw = n + 3, quote_raw = -7 where mint like 'mint-1%'`],
    ['after one is booked otherwise', sql`update reward_transactions set base_raw = 9 where mint = 'mint-11'`],
    ['after a correction', sql`insert into reward_corrections (mint, base_raw, quote_raw) values ('mint-11', 5, -2)`],
    ['after bookings are taken back', sql`delete from reward_transactions where mint = 'mint-12' and n = 1`],
  ])('of pots %s', async (_, change) => {
    await change.execute(db());
    expect(await pots()).toEqual([]);
  });

  it.each([
    ['as they were filled', sql`select`],
    [
      'after a purchase is booked',
      sql`update buyback_rounds set state = 'bought', spent_raw = 12, bought_raw = 1, signature = 'new', slot = 1 where id = 'buyback-mint-40-1'`,
    ],
    ['after it is booked otherwise', sql`update buyback_rounds set spent_raw = 15 where id = 'buyback-mint-40-1'`],
    ['after one is deleted', sql`delete from buyback_rounds where id = 'buyback-mint-7-1'`],
  ])('of budgets %s', async (_, change) => {
    await change.execute(db());
    expect(await budgets()).toEqual([]);
  });
});
