import { readUint } from './bytes.ts';
import type { Instruction } from './message.ts';
import { SYSTEM_PROGRAM } from './programs.ts';

/** A transfer of SOL by the System program. */
export interface LamportTransfer {
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly lamports: bigint;
}

/** `SystemInstruction::Transfer`: number in four bytes, lamports in eight (solana-program, system_instruction.rs). */
const TRANSFER = { tag: 2n, bytes: 12 };

/** Null for another instruction. It may name more accounts than the two. */
export function lamportTransferIn({ program, data, accounts: [from, to] }: Instruction): LamportTransfer | null {
  const isTransfer =
    program === SYSTEM_PROGRAM && data.length === TRANSFER.bytes && readUint(data, 0, 4) === TRANSFER.tag;
  return isTransfer ? { from: from?.address, to: to?.address, lamports: readUint(data, 4, 8) } : null;
}
