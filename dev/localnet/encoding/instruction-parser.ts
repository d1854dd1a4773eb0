import type { Address } from '../ledger/account.ts';
import type { ByteReader } from '../ledger/byte-reader.ts';

/** What a parser makes of an instruction: its name and its fields. */
export interface ParsedInstruction {
  readonly type: string;
  readonly info: Readonly<Record<string, unknown>>;
}

/** Parses an instruction's data against its account addresses; null when it does not know the instruction. */
export type InstructionParser = (reader: ByteReader, accounts: readonly Address[]) => ParsedInstruction | null;
