import { createHash } from 'node:crypto';
import { type AccountInfo, type Connection, PublicKey } from '@solana/web3.js';

/** How pool accounts looked at one moment. */
export interface PoolFingerprints {
  /** Slot they were read at, `confirmed`. */
  readonly slot: number;
  /** A hash of each account in the order asked for, hex; null where there is none. */
  readonly hashes: readonly (string | null)[];
}

/** Most accounts that `getMultipleAccounts` takes at once. */
export const ACCOUNTS_PER_CALL = 100;

/**
 * Reads up to 100 pool accounts with one call. On both exchanges every swap changes the pool account itself, also one that
 * leaves a vault's balance as it was before an earlier swap; so equal hashes mean that nobody traded.
 */
export async function readFingerprints(connection: Connection, pools: readonly string[]): Promise<PoolFingerprints> {
  const { value, context } = await connection.getMultipleAccountsInfoAndContext(
    pools.map((pool) => new PublicKey(pool)),
    'confirmed',
  );
  return { slot: context.slot, hashes: pools.map((_, index) => fingerprint(value[index] ?? null)) };
}

/** A hash of an account, hex; null where there is none. */
export function fingerprint(account: AccountInfo<Buffer> | null): string | null {
  if (account === null) return null;
  const hash = createHash('sha256').update(account.owner.toBytes()).update(String(account.lamports));
  return hash.update(account.data).digest('hex').slice(0, 32);
}
