import { type Mint, TOKEN_2022_PROGRAM_ID, TOKEN_PROGRAM_ID, unpackMint } from '@solana/spl-token';
import type { AccountInfo, PublicKey } from '@solana/web3.js';

export interface UnpackedMint {
  readonly mint: Mint;
  readonly tokenProgram: PublicKey;
}

/** Unpacks a mint of either program; null if it is no mint. */
export function unpackTokenMint(address: PublicKey, account: AccountInfo<Buffer> | null): UnpackedMint | null {
  const tokenProgram = account?.owner;
  if (!tokenProgram?.equals(TOKEN_PROGRAM_ID) && !tokenProgram?.equals(TOKEN_2022_PROGRAM_ID)) return null;
  try {
    return { mint: unpackMint(address, account, tokenProgram), tokenProgram };
  } catch {
    // A token account.
    return null;
  }
}
