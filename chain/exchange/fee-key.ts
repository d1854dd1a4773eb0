import { AccountLayout } from '@solana/spl-token';
import type { Connection, PublicKey } from '@solana/web3.js';

/** A token account that holds a Fee Key, and its owner. */
export interface FeeKeyHolder {
  readonly account: PublicKey;
  readonly owner: PublicKey;
}

/** Finds the account in which a Fee Key's only unit lies; null when it lies in none. */
export async function findFeeKeyHolder(connection: Connection, mint: PublicKey): Promise<FeeKeyHolder | null> {
  const { value } = await connection.getTokenLargestAccounts(mint, 'confirmed');
  const account = value.find(({ amount }) => amount === '1')?.address;
  if (!account) return null;
  const info = await connection.getAccountInfo(account, 'confirmed');
  return info ? { account, owner: AccountLayout.decode(info.data).owner } : null;
}
