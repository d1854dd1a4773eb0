import type { PublicKey } from '@solana/web3.js';
import type { TransferFee } from '../exchange/pool-math.ts';

export interface TokenInfo {
  readonly mint: PublicKey;
  readonly decimals: number;
  readonly tokenProgram: PublicKey;
  /** Absent without a transfer tax. */
  readonly transferFee?: TransferFee;
  /** Prices do not apply to raw amounts (`shownAmountsProblem`): the mint is never valued. */
  readonly unitProblem?: string;
}
