import type { ByteReader } from '../ledger/byte-reader.ts';
import { toBase58 } from './base58.ts';
import type { InstructionParser } from './instruction-parser.ts';

type Fields = (reader: ByteReader, accounts: readonly string[]) => Record<string, unknown>;

const key = (reader: ByteReader): string => toBase58(reader.take(32));

const INSTRUCTIONS: Readonly<Record<number, readonly [string, Fields]>> = {
  0: [
    'createAccount',
    (reader, [source, newAccount]) => ({
      lamports: reader.u64(),
      newAccount,
      source,
      space: reader.u64(),
      owner: key(reader),
    }),
  ],
  1: ['assign', (reader, [account]) => ({ account, owner: key(reader) })],
  2: ['transfer', (reader, [source, destination]) => ({ destination, lamports: reader.u64(), source })],
  4: [
    'advanceNonce',
    (_reader, [nonceAccount, recentBlockhashesSysvar, nonceAuthority]) => ({
      nonceAccount,
      nonceAuthority,
      recentBlockhashesSysvar,
    }),
  ],
  5: [
    'withdrawFromNonce',
    (reader, [nonceAccount, destination, , , nonceAuthority]) => ({
      destination,
      lamports: reader.u64(),
      nonceAccount,
      nonceAuthority,
    }),
  ],
  6: ['initializeNonce', (reader, [nonceAccount]) => ({ nonceAccount, nonceAuthority: key(reader) })],
  7: [
    'authorizeNonce',
    (reader, [nonceAccount, nonceAuthority]) => ({ newAuthorized: key(reader), nonceAccount, nonceAuthority }),
  ],
  8: ['allocate', (reader, [account]) => ({ account, space: reader.u64() })],
};

export const parseSystemInstruction: InstructionParser = (reader, accounts) => {
  const known = INSTRUCTIONS[reader.u32()];
  if (!known) return null;
  const [type, fields] = known;
  return { type, info: fields(reader, accounts) };
};
