import type { ByteReader } from '../ledger/byte-reader.ts';
import { toBase58 } from './base58.ts';
import type { InstructionParser } from './instruction-parser.ts';
import { uiTokenAmount } from './token-amount.ts';

type Fields = (reader: ByteReader, accounts: readonly string[]) => Record<string, unknown>;

const AUTHORITY_TYPES = ['mintTokens', 'freezeAccount', 'accountOwner', 'closeAccount'];

const key = (reader: ByteReader): string => toBase58(reader.take(32));
const amount = (reader: ByteReader): string => reader.u64().toString();

/** `COption`: one-byte tag, then a key. */
function optionalKey(reader: ByteReader): string | null {
  return reader.u8() === 1 ? key(reader) : null;
}

const initializeMint: Fields = (reader, [mint]) => ({
  decimals: reader.u8(),
  mint,
  mintAuthority: key(reader),
  freezeAuthority: optionalKey(reader),
});

function tokenAmount(reader: ByteReader): unknown {
  const raw = reader.u64();
  return uiTokenAmount(raw, reader.u8());
}

const INSTRUCTIONS: Readonly<Record<number, readonly [string, Fields]>> = {
  0: ['initializeMint', initializeMint],
  1: ['initializeAccount', (_reader, [account, mint, owner]) => ({ account, mint, owner })],
  3: [
    'transfer',
    (reader, [source, destination, authority]) => ({ amount: amount(reader), authority, destination, source }),
  ],
  4: ['approve', (reader, [source, delegate, owner]) => ({ amount: amount(reader), delegate, owner, source })],
  5: ['revoke', (_reader, [source, owner]) => ({ owner, source })],
  6: [
    'setAuthority',
    (reader, [account, authority]) => ({
      account,
      authority,
      authorityType: AUTHORITY_TYPES[reader.u8()] ?? 'extension',
      newAuthority: optionalKey(reader),
    }),
  ],
  7: ['mintTo', (reader, [mint, account, mintAuthority]) => ({ account, amount: amount(reader), mint, mintAuthority })],
  8: ['burn', (reader, [account, mint, authority]) => ({ account, amount: amount(reader), authority, mint })],
  9: ['closeAccount', (_reader, [account, destination, owner]) => ({ account, destination, owner })],
  12: [
    'transferChecked',
    (reader, [source, mint, destination, authority]) => ({
      authority,
      destination,
      mint,
      source,
      tokenAmount: tokenAmount(reader),
    }),
  ],
  14: [
    'mintToChecked',
    (reader, [mint, account, mintAuthority]) => ({ account, mint, mintAuthority, tokenAmount: tokenAmount(reader) }),
  ],
  15: [
    'burnChecked',
    (reader, [account, mint, authority]) => ({ account, authority, mint, tokenAmount: tokenAmount(reader) }),
  ],
  17: ['syncNative', (_reader, [account]) => ({ account })],
  18: ['initializeAccount3', (reader, [account, mint]) => ({ account, mint, owner: key(reader) })],
  20: ['initializeMint2', initializeMint],
  21: ['getAccountDataSize', (_reader, [mint]) => ({ mint })],
  22: ['initializeImmutableOwner', (_reader, [account]) => ({ account })],
};

export const parseTokenInstruction: InstructionParser = (reader, accounts) => {
  const known = INSTRUCTIONS[reader.u8()];
  if (!known) return null;
  const [type, fields] = known;
  return { type, info: fields(reader, accounts) };
};
