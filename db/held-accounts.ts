/** Of reward coins, as far as reported. */

import { sql } from 'kysely';
import { type Db, transaction } from './connect.ts';

export interface HeldAccount {
  readonly mint: string;
  /** base58. */
  readonly account: string;
  readonly slot: number;
}

/** base58, with the pool's vault; null when too many to keep. */
export async function known(db: Db, mint: string): Promise<string[] | null> {
  const { rows } = await sql<{ manyAccounts: boolean; accounts: string[] }>`
    select many_accounts, array(
      select base_vault where base_vault is not null union select account from held_accounts where mint = cursor.mint
    ) as accounts from pool_cursors as cursor where mint = ${mint}`.execute(db);
  const [row] = rows;
  return row && !row.manyAccounts ? row.accounts : null;
}

export async function note(db: Db, seen: readonly HeldAccount[]): Promise<void> {
  if (seen.length === 0) return;
  const [mints, accounts] = [seen.map(({ mint }) => mint), seen.map(({ account }) => account)];
  await sql`
    insert into held_accounts (mint, account, slot)
    select mint, account, max(slot)
    from unnest(${mints}::text[], ${accounts}::text[], ${seen.map(({ slot }) => slot)}::bigint[]) as given (mint, account, slot)
    join pool_cursors as cursor using (mint) where not many_accounts
    group by mint, account order by mint, account
    on conflict do nothing`.execute(db);
}

export interface FoundAccounts {
  readonly mint: string;
  /** Non-empty; null when too many to keep. */
  readonly held: readonly string[] | null;
  readonly slot: number;
}

/** Number of accounts above which empty ones are deleted. */
const MOST_WITH_EMPTY = 495;

/** Records the result of a search, or of reading the `known` ones. Writes only changes. */
export async function learn(
  db: Db,
  known: readonly string[] | null,
  { mint, held, slot }: FoundAccounts,
): Promise<void> {
  if ((known === null) !== (held === null)) await setMany(db, mint, held === null);
  if (held === null) return;
  const before = new Set(known);
  const fresh = held.filter((account) => !before.has(account));
  await note(
    db,
    fresh.map((account) => ({ mint, account, slot })),
  );
  if (before.size + fresh.length > MOST_WITH_EMPTY) await forgetOthers(db, { mint, held, slot });
}

/** Deletes the other accounts, but keeps later reports. */
async function forgetOthers(db: Db, { mint, held, slot }: FoundAccounts): Promise<void> {
  await sql`delete from held_accounts where mint = ${mint} and slot <= ${slot} and account <> all (${held}::text[])`.execute(
    db,
  );
}

async function setMany(db: Db, mint: string, isMany: boolean): Promise<void> {
  await transaction(db, async (tx) => {
    await tx.updateTable('poolCursors').set({ manyAccounts: isMany }).where('mint', '=', mint).execute();
    if (isMany) await tx.deleteFrom('heldAccounts').where('mint', '=', mint).execute();
  });
}
