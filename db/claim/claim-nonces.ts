import type { Selectable } from 'kysely';
import type { Db } from '../connect.ts';
import type { ClaimNonceTable } from '../schema.ts';

/** The durable nonce account of a launch and who may advance it, base58. */
export type ClaimNonce = Selectable<ClaimNonceTable>;

export type ClaimNonceRepository = ReturnType<typeof createClaimNonceRepository>;

/** Where each launch's durable nonce account is. The row is written once the account is confirmed. */
export function createClaimNonceRepository(db: Db) {
  return {
    /** The nonce account of a mint, or null. */
    byMint: (mint: string) => byMint(db, mint),
    /** Names the nonce account of a mint; one of another authority is replaced. */
    put: (nonce: Pick<ClaimNonce, 'mint' | 'nonceAccount' | 'authority'>) => put(db, nonce),
    /** Removes a nonce account that can no longer be used. */
    forget: (nonceAccount: string) => forget(db, nonceAccount),
  };
}

async function byMint(db: Db, mint: string): Promise<ClaimNonce | null> {
  return (await db.selectFrom('claimNonces').selectAll().where('mint', '=', mint).executeTakeFirst()) ?? null;
}

async function put(db: Db, { mint, nonceAccount, authority }: Pick<ClaimNonce, 'mint' | 'nonceAccount' | 'authority'>) {
  await db
    .insertInto('claimNonces')
    .values({ mint, nonceAccount, authority })
    .onConflict((conflict) => conflict.column('mint').doUpdateSet({ nonceAccount, authority }))
    .execute();
}

async function forget(db: Db, nonceAccount: string): Promise<void> {
  await db.deleteFrom('claimNonces').where('nonceAccount', '=', nonceAccount).execute();
}
