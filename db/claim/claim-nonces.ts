/** Written once the account is confirmed. */

import { type Selectable, sql } from 'kysely';
import { noncePurpose } from '../../domain/claim/purpose.ts';
import type { Db } from '../connect.ts';
import { type DueLock, takeDueLock } from '../money/due-lock.ts';
import type { ClaimNonceTable } from '../schema/claim.ts';

export type ClaimNonce = Selectable<ClaimNonceTable>;

export async function byMint(db: Db, mint: string): Promise<ClaimNonce | null> {
  return (await db.selectFrom('claimNonces').selectAll().where('mint', '=', mint).executeTakeFirst()) ?? null;
}

/** Replaces one with another authority. */
export async function put(
  db: Db,
  { mint, nonceAccount, authority }: Pick<ClaimNonce, 'mint' | 'nonceAccount' | 'authority'>,
) {
  await db
    .insertInto('claimNonces')
    .values({ mint, nonceAccount, authority })
    .onConflict((conflict) => conflict.column('mint').doUpdateSet({ nonceAccount, authority }))
    .execute();
}

/** Locks the nonce's row. No operator decision ends it: the account is created once. */
export async function lockDue(tx: Db, nonceAccount: string): Promise<DueLock> {
  const lock = await takeDueLock(
    tx,
    () => [noncePurpose(nonceAccount)],
    async () => {
      await sql`select pg_advisory_xact_lock(hashtextextended(${noncePurpose(nonceAccount)}, 0))`.execute(tx);
      return nonceAccount;
    },
  );
  if (!lock) throw new Error(`nonce account ${nonceAccount} is not to be made`);
  return lock;
}

export async function forget(db: Db, nonceAccount: string): Promise<void> {
  await db.deleteFrom('claimNonces').where('nonceAccount', '=', nonceAccount).execute();
}
