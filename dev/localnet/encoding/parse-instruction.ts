import { type Address, MEMO_PROGRAM, MEMO_V1_PROGRAM, SYSTEM_PROGRAM } from '../ledger/account.ts';
import { ByteReader } from '../ledger/byte-reader.ts';
import { isTokenProgram } from '../ledger/token-balance.ts';
import type { CompiledInstruction } from '../ledger/wire-transaction.ts';
import { toBase58 } from './base58.ts';
import type { InstructionParser, ParsedInstruction } from './instruction-parser.ts';
import { parseSystemInstruction } from './parse-system-instruction.ts';
import { parseTokenInstruction } from './parse-token-instruction.ts';

function tryParse(parser: InstructionParser, data: Uint8Array, accounts: readonly Address[]): ParsedInstruction | null {
  try {
    return parser(new ByteReader(data), accounts);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function parseKnown(program: Address, data: Uint8Array, accounts: readonly Address[]): [string, unknown] | null {
  if (program === MEMO_PROGRAM || program === MEMO_V1_PROGRAM) return ['spl-memo', Buffer.from(data).toString('utf8')];
  if (program === SYSTEM_PROGRAM) {
    const parsed = tryParse(parseSystemInstruction, data, accounts);
    return parsed && ['system', parsed];
  }
  if (!isTokenProgram(program)) return null;
  const parsed = tryParse(parseTokenInstruction, data, accounts);
  return parsed && ['spl-token', parsed];
}

/** `jsonParsed` form; without a parser, addresses and base58 data. */
export function parseInstruction(
  { programIdIndex, accounts, data }: CompiledInstruction,
  keys: readonly Address[],
  stackHeight: number | null,
): unknown {
  const programId = keys[programIdIndex] ?? '';
  const addresses = accounts.map((index) => keys[index] ?? '');
  const known = parseKnown(programId, data, addresses);
  if (!known) return { accounts: addresses, data: toBase58(data), programId, stackHeight };
  const [program, parsed] = known;
  return { parsed, program, programId, stackHeight };
}
