import { sql } from 'kysely';
import type { Db } from '../connect.ts';

/** Launchable quote tokens (mints, base58) of which the last comparison found the treasury's account frozen. */
export async function frozenStock(db: Db): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ mint: string }>`
    select pairs.mint from book_findings join pairs on book_findings.subject = 'treasury/' || pairs.mint
    join pair_categories on pair_categories.name = pairs.category
    where kind = 'account-frozen' and pairs.status = 'active' and not pair_categories.retired`.execute(db);
  return new Set(rows.map(({ mint }) => mint));
}
