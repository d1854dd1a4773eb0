import { createBurnCheckedInstruction } from '@solana/spl-token';
import { tokenAccountOf } from '../tokens/associated-account.ts';
import type { SignedTransaction } from './compile.ts';
import { type PurposeFrame, signPurposed } from './purposed.ts';
import type { TokenInfo } from '../tokens/token.ts';

// Measured: under 5,000 units.
const BURN_COMPUTE_UNITS = 10_000;

export function buildBurn(frame: PurposeFrame, token: TokenInfo, amountRaw: bigint): Promise<SignedTransaction> {
  const owner = frame.wallet.publicKey;
  const { mint, decimals, tokenProgram } = token;
  const account = tokenAccountOf(token, owner);
  return signPurposed(frame, {
    instructions: [createBurnCheckedInstruction(account, mint, owner, amountRaw, decimals, [], tokenProgram)],
    signers: [],
    computeUnits: BURN_COMPUTE_UNITS,
  });
}
