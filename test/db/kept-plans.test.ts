import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { connect, type Db } from '../../db/connect.ts';
import { keepPlan } from '../../db/kept-plans.ts';
import { lookAlikesOf } from '../../db/look-alikes.ts';
import { findListedToken } from '../../db/market/listed-token.ts';
import { listTokens, TOKEN_SORTS } from '../../db/market/token-list.ts';
import { useDatabase } from '../support/db/use-database.ts';

const { url } = useDatabase();

/** PostgreSQL plans for the values of so many calls before it compares a plan for any. */
const PLANNED_FOR_VALUES = 5;

/** Every read whose plan a session keeps, with the fewest values it takes. */
async function readAll(db: Db): Promise<void> {
  for (const sort of TOKEN_SORTS) await listTokens(db, {}, sort, { page: 1, pageSize: 1 });
  await findListedToken(db, 'mint');
  await lookAlikesOf(db, [{ mint: 'mint', createdAt: null, name: 'Moon', symbol: 'MOON' }]);
}

describe('a statement whose plan a session keeps', () => {
  it('is planned for the values of five calls, and never again', async () => {
    const db = connect(url(), { maxConnections: 1 });
    for (let call = 0; call < PLANNED_FOR_VALUES + 3; call += 1) await readAll(db);
    const { rows } = await sql<{ name: string; planned: bigint; kept: bigint }>`
      select name, custom_plans as planned, generic_plans as kept from pg_prepared_statements order by name`.execute(
      db,
    );
    const counts = { planned: 5n, kept: 3n };
    const names = ['found-token', 'look-alikes', 'tokens-by-marketCap', 'tokens-by-newest', 'tokens-by-volume'];
    expect(rows).toEqual(names.map((name) => ({ name, ...counts })));
    await db.destroy();
  });

  it('has a name of its own', () => {
    expect(() => keepPlan('look-alikes', 'select 2')).toThrow('two statements are named look-alikes');
  });
});
