import { createBurnCheckedInstruction } from '@solana/spl-token';
import type { TokenInfo } from '../exchange/exchange.ts';
import { tokenAccountOf } from '../tokens/associated-account.ts';
import type { SignedTransaction } from './compile.ts';
import { type PurposeFrame, signPurposed } from './purposed.ts';

// Measured: under 5,000 with either token program.
const BURN_COMPUTE_UNITS = 10_000;

/** Burns so many raw units of what the frame's wallet holds, whatever else lies in its account. */
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
