import type { Address } from '../ledger/account.ts';
import type { ByteReader } from '../ledger/byte-reader.ts';

export interface ParsedInstruction {
  readonly type: string;
  readonly info: Readonly<Record<string, unknown>>;
}

/** Null for an unknown instruction. */
export type InstructionParser = (reader: ByteReader, accounts: readonly Address[]) => ParsedInstruction | null;
