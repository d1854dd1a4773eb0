import { PublicKey } from '@solana/web3.js';
import { splitMemos } from '../../../chain/rpc/history.ts';
import { claimPurpose } from '../../../domain/claim/purpose.ts';
import type { Platform } from '../platform/platform.ts';

/** Signatures of the transactions that carry a claim's memo and succeeded, as the chain shows them. */
export async function landedClaims(
  { connection, db }: Pick<Platform, 'connection' | 'db'>,
  intentId: string,
): Promise<string[]> {
  const { nonceAccount } = await db
    .selectFrom('claimIntents')
    .select('nonceAccount')
    .where('intentId', '=', intentId)
    .executeTakeFirstOrThrow();
  const history = await connection.getSignaturesForAddress(new PublicKey(nonceAccount), {}, 'confirmed');
  const memo = claimPurpose(intentId);
  return history
    .filter((entry) => entry.err === null && splitMemos(entry.memo ?? '').includes(memo))
    .map(({ signature }) => signature);
}
