import { ACCOUNT_SIZE, TOKEN_PROGRAM_ID } from '@solana/spl-token';
import type { TokenInfo } from './token.ts';

const TOKEN_2022_ACCOUNT_BYTES = 170;
const TAXED_ACCOUNT_BYTES = 182;

/** Returns the size; Token-2022 adds immutable owner, and transfer tax where the mint has one. */
export function associatedAccountBytes({ tokenProgram, transferFee }: TokenInfo): number {
  if (tokenProgram.equals(TOKEN_PROGRAM_ID)) return ACCOUNT_SIZE;
  return transferFee ? TAXED_ACCOUNT_BYTES : TOKEN_2022_ACCOUNT_BYTES;
}
