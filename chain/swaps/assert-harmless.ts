import { ASSOCIATED_TOKEN_PROGRAM_ID, TOKEN_2022_PROGRAM_ID, TOKEN_PROGRAM_ID } from '@solana/spl-token';
import { type PublicKey, SystemProgram, type TransactionInstruction } from '@solana/web3.js';

/** An aggregator's instructions ask for more than a swap of the wallet's own tokens. */
export class SwapRefusedError extends Error {
  constructor(problem: string) {
    super(`the swap is refused: ${problem}`);
    this.name = 'SwapRefusedError';
  }
}

/** What a swap may touch. */
export interface SwapBounds {
  /** Pays, receives, and alone signs. */
  readonly wallet: PublicKey;
  /** Addresses of ours that a swap has no business with, although they sign the same transaction. */
  readonly untouchable: readonly PublicKey[];
  /** Programs that may be called beside the token programs and the system program. */
  readonly programs: readonly PublicKey[];
}

/** A swap makes token accounts, wraps and unwraps SOL. */
const COMMON_PROGRAMS = [SystemProgram.programId, TOKEN_PROGRAM_ID, TOKEN_2022_PROGRAM_ID, ASSOCIATED_TOKEN_PROGRAM_ID];

/**
 * Throws a SwapRefusedError unless these instructions can move nothing but what the wallet itself holds. A program acts only
 * on accounts that its instruction names, and with the signatures of those alone: instructions that never name the treasury
 * cannot use its signature, although it is on the same transaction.
 */
export function assertHarmless(instructions: readonly TransactionInstruction[], bounds: SwapBounds): void {
  const programs = new Set([...COMMON_PROGRAMS, ...bounds.programs].map((key) => key.toBase58()));
  const untouchable = new Set(bounds.untouchable.map((key) => key.toBase58()));
  for (const { programId, keys } of instructions) {
    if (!programs.has(programId.toBase58())) throw new SwapRefusedError(`it calls program ${programId.toBase58()}`);
    for (const { pubkey, isSigner } of keys) {
      const address = pubkey.toBase58();
      if (untouchable.has(address)) throw new SwapRefusedError(`it names ${address}, which is not for it`);
      if (isSigner && !pubkey.equals(bounds.wallet)) throw new SwapRefusedError(`it wants the signature of ${address}`);
    }
  }
}
