import { toBase58 } from './bytes.ts';
import { ByteReader } from './reader.ts';

/** One account of an instruction, and what the transaction lets it be. */
export interface Account {
  readonly address: string;
  readonly isSigner: boolean;
  readonly isWritable: boolean;
}

export interface Instruction {
  readonly program: string;
  readonly accounts: readonly Account[];
  readonly data: Uint8Array;
}

/** A legacy message, read whole. */
export interface Message {
  readonly bytes: Uint8Array;
  /** Every account, the fee payer first and all signers before the others. */
  readonly accounts: readonly Account[];
  readonly blockhash: string;
  readonly instructions: readonly Instruction[];
}

/** A transaction: places of signatures (64 bytes each, zeros where one is to come) and the message. */
export interface WireTransaction {
  readonly signatures: readonly Uint8Array[];
  readonly message: Message;
}

const SIGNATURE_BYTES = 64;

/**
 * Reads a transaction from its wire format. Throws a RangeError for a versioned message, which could take accounts out of lookup
 * tables, and for bytes that are no transaction.
 *
 * @see https://solana.com/docs/core/transactions
 */
export function readTransaction(wire: Uint8Array): WireTransaction {
  const reader = new ByteReader(wire);
  const signatures = reader.list(() => reader.take(SIGNATURE_BYTES));
  return { signatures, message: readMessage(reader.rest()) };
}

/** Writes signatures and message in the wire format. */
export function writeTransaction(signatures: readonly Uint8Array[], message: Uint8Array): Uint8Array {
  return Uint8Array.from([signatures.length, ...signatures.flatMap((signature) => [...signature]), ...message]);
}

/** Reads a legacy message. Throws a RangeError for anything else. */
export function readMessage(bytes: Uint8Array): Message {
  if ((bytes[0] ?? 0) >= 0x80) throw new RangeError('it is a versioned transaction, a legacy one was expected');
  const reader = new ByteReader(bytes);
  const header = { signers: reader.byte(), readonlySigners: reader.byte(), readonlyOthers: reader.byte() };
  const addresses = reader.list(() => toBase58(reader.take(32)));
  const blockhash = toBase58(reader.take(32));
  const accounts = addresses.map((address, index) => accountOf(address, index, header, addresses.length));
  if (new Set(addresses).size !== addresses.length) throw new RangeError('it names an account twice');
  if (accounts.length === 0 || header.signers === 0) throw new RangeError('it has no fee payer');
  const instructions = reader.list(() => readInstruction(reader, accounts));
  if (!reader.isAtEnd) throw new RangeError('it has bytes behind its end');
  return { bytes, accounts, blockhash, instructions };
}

interface Header {
  readonly signers: number;
  readonly readonlySigners: number;
  readonly readonlyOthers: number;
}

/** Signers come first, and in both halves the accounts that may be written come before the others. */
function accountOf(address: string, index: number, header: Header, count: number): Account {
  const isSigner = index < header.signers;
  const isWritable = isSigner ? index < header.signers - header.readonlySigners : index < count - header.readonlyOthers;
  return { address, isSigner, isWritable };
}

function readInstruction(reader: ByteReader, accounts: readonly Account[]): Instruction {
  const named = (index: number): Account => {
    const account = accounts[index];
    if (!account) throw new RangeError(`it names account ${index} of ${accounts.length}`);
    return account;
  };
  const program = named(reader.byte()).address;
  const indexes = reader.list(() => reader.byte());
  return { program, accounts: indexes.map(named), data: reader.take(reader.length()) };
}
