import { type Mint, TOKEN_2022_PROGRAM_ID, TOKEN_PROGRAM_ID, unpackMint } from '@solana/spl-token';
import type { AccountInfo, PublicKey } from '@solana/web3.js';

/** A mint's account, decoded, and the token program it belongs to. */
export interface UnpackedMint {
  readonly mint: Mint;
  readonly tokenProgram: PublicKey;
}

/** Decodes the account of a mint of either token program; null where it is no such thing. */
export function unpackTokenMint(address: PublicKey, account: AccountInfo<Buffer> | null): UnpackedMint | null {
  const tokenProgram = account?.owner;
  if (!tokenProgram?.equals(TOKEN_PROGRAM_ID) && !tokenProgram?.equals(TOKEN_2022_PROGRAM_ID)) return null;
  try {
    return { mint: unpackMint(address, account, tokenProgram), tokenProgram };
  } catch {
    // A token account belongs to the same programs; its bytes are those of no mint.
    return null;
  }
}
