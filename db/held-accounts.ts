/** At which addresses the tokens of reward coins lie, as far as somebody has told. */

import { sql } from 'kysely';
import { type Db, transaction } from './connect.ts';

/** A token account that holds something, or held it. */
export interface HeldAccount {
  readonly mint: string;
  /** base58 */
  readonly account: string;
  /** The slot in which it was seen. */
  readonly slot: number;
}

/** Addresses (base58) at which a coin's tokens may lie, the pool's vault among them; null where they are too many to be kept. */
export async function known(db: Db, mint: string): Promise<string[] | null> {
  const { rows } = await sql<{ manyAccounts: boolean; accounts: string[] }>`
    select many_accounts, array(
      select base_vault where base_vault is not null union select account from held_accounts where mint = cursor.mint
    ) as accounts from pool_cursors as cursor where mint = ${mint}`.execute(db);
  const [row] = rows;
  return row && !row.manyAccounts ? row.accounts : null;
}

/** Notes accounts that were seen, but for those of coins that have too many. */
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

/** What was found of a coin at a slot. */
export interface FoundAccounts {
  readonly mint: string;
  /** Accounts in which something lay; null where they are too many to be kept. */
  readonly held: readonly string[] | null;
  readonly slot: number;
}

/** So many accounts are kept though they may be empty; beyond, those that were found empty are forgotten. */
const MOST_WITH_EMPTY = 495;

/** Keeps in mind what a search, or the accounts `known` before it, turned out to hold. Nothing is written where nothing is new. */
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

/** What somebody told of later than that slot stays. */
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
