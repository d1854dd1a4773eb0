import { ASSOCIATED_TOKEN_PROGRAM_ID, TOKEN_2022_PROGRAM_ID, TOKEN_PROGRAM_ID } from '@solana/spl-token';
import { type PublicKey, SystemProgram, type TransactionInstruction } from '@solana/web3.js';

export class SwapRefusedError extends Error {
  constructor(problem: string) {
    super(`the swap is refused: ${problem}`);
    this.name = 'SwapRefusedError';
  }
}

export interface SwapBounds {
  readonly wallet: PublicKey;
  /** Sign the transaction, but must not appear in the swap. */
  readonly untouchable: readonly PublicKey[];
  /** May be called in any way. */
  readonly programs: readonly PublicKey[];
}

/**
 * `Transfer`, `CloseAccount`, `TransferChecked`, `SyncNative` (spl-token, instruction.rs): none gives away later
 * deposits.
 */
const TOKEN_INSTRUCTIONS = [3, 9, 12, 17];

/**
 * Allowed instructions by first data byte: create token accounts, wrap and unwrap SOL, pay. `Approve`, `SetAuthority`
 * or `Assign` would outlast the transaction.
 */
const COMMON_INSTRUCTIONS: ReadonlyMap<string, readonly number[]> = new Map([
  // `Transfer` (solana-program, system_instruction.rs).
  [SystemProgram.programId.toBase58(), [2]],
  [TOKEN_PROGRAM_ID.toBase58(), TOKEN_INSTRUCTIONS],
  [TOKEN_2022_PROGRAM_ID.toBase58(), TOKEN_INSTRUCTIONS],
  // `Create`, `CreateIdempotent`; no data means `Create`.
  [ASSOCIATED_TOKEN_PROGRAM_ID.toBase58(), [0, 1]],
]);

/**
 * Throws a SwapRefusedError unless these instructions can move only the wallet's holdings. A program acts only on
 * accounts that its instruction names: one that never names the treasury cannot use its signature.
 */
export function assertHarmless(instructions: readonly TransactionInstruction[], bounds: SwapBounds): void {
  const untouchable = new Set(bounds.untouchable.map((key) => key.toBase58()));
  for (const instruction of instructions) {
    assertAllowed(instruction, bounds.programs);
    for (const { pubkey, isSigner } of instruction.keys) {
      const address = pubkey.toBase58();
      if (untouchable.has(address)) throw new SwapRefusedError(`it names ${address}, which is not for it`);
      if (isSigner && !pubkey.equals(bounds.wallet)) throw new SwapRefusedError(`it wants the signature of ${address}`);
    }
  }
}

function assertAllowed({ programId, data }: TransactionInstruction, programs: readonly PublicKey[]): void {
  if (programs.some((program) => program.equals(programId))) return;
  const allowed = COMMON_INSTRUCTIONS.get(programId.toBase58());
  if (!allowed) throw new SwapRefusedError(`it calls program ${programId.toBase58()}`);
  const kind = data[0] ?? 0;
  if (!allowed.includes(kind)) throw new SwapRefusedError(`it calls instruction ${kind} of ${programId.toBase58()}`);
}
