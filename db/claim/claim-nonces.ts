/** Where each launch's durable nonce account is. The row is written once the account is confirmed. */

import type { Selectable } from 'kysely';
import type { Db } from '../connect.ts';
import type { ClaimNonceTable } from '../schema/claim.ts';

/** The durable nonce account of a launch and who may advance it, base58. */
export type ClaimNonce = Selectable<ClaimNonceTable>;

/** The nonce account of a mint, or null. */
export async function byMint(db: Db, mint: string): Promise<ClaimNonce | null> {
  return (await db.selectFrom('claimNonces').selectAll().where('mint', '=', mint).executeTakeFirst()) ?? null;
}

/** Names the nonce account of a mint; one of another authority is replaced. */
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

/** Removes a nonce account that can no longer be used. */
export async function forget(db: Db, nonceAccount: string): Promise<void> {
  await db.deleteFrom('claimNonces').where('nonceAccount', '=', nonceAccount).execute();
}
