import { toBase58 } from './bytes.ts';
import { ByteReader } from './reader.ts';

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

/** A legacy message; {@link LandedMessage} may be of version 0. */
export interface Message {
  readonly bytes: Uint8Array;
  /** Fee payer first, signers before the others. */
  readonly accounts: readonly Account[];
  readonly blockhash: string;
  readonly instructions: readonly Instruction[];
}

/** 64 bytes each, zeros if missing. */
export interface WireTransaction {
  readonly signatures: readonly Uint8Array[];
  readonly message: Message;
}

const SIGNATURE_BYTES = 64;

/**
 * Throws a RangeError for other bytes, and a versioned message, which could use lookup tables.
 *
 * @see https://solana.com/docs/core/transactions
 */
export function readTransaction(wire: Uint8Array): WireTransaction {
  const reader = new ByteReader(wire);
  const signatures = reader.list(() => reader.take(SIGNATURE_BYTES));
  return { signatures, message: readMessage(reader.rest()) };
}

export function writeTransaction(signatures: readonly Uint8Array[], message: Uint8Array): Uint8Array {
  return Uint8Array.from([signatures.length, ...signatures.flatMap((signature) => [...signature]), ...message]);
}

/** Throws a RangeError unless legacy. */
export function readMessage(bytes: Uint8Array): Message {
  if (isVersioned(bytes)) throw new RangeError('it is a versioned transaction, a legacy one was expected');
  const reader = new ByteReader(bytes);
  const { header, addresses, blockhash } = readFront(reader);
  const accounts = addresses.map((address, index) => accountOf(address, index, header, addresses.length));
  const instructions = reader.list(() => readInstruction(reader, accounts));
  if (!reader.isAtEnd) throw new RangeError('it has bytes behind its end');
  return { bytes, accounts, blockhash, instructions };
}

/** Addresses in the order of an RPC endpoint's `loadedAddresses`. */
export interface LoadedAddresses {
  readonly writable: readonly string[];
  readonly readonly: readonly string[];
}

/** A message on the chain, legacy or version 0. */
export interface LandedMessage extends Message {
  /** Out of lookup tables: no signature covers them. */
  readonly loaded: readonly string[];
}

/**
 * Reads a transaction on the chain; the RPC endpoint supplies the lookup tables' addresses. Use {@link readTransaction}
 * before signing.
 *
 * @throws RangeError for another version, other bytes, or another number of accounts
 */
export function readLandedTransaction(wire: Uint8Array, loaded: LoadedAddresses) {
  const reader = new ByteReader(wire);
  const signatures = reader.list(() => reader.take(SIGNATURE_BYTES));
  return { signatures, message: readLandedMessage(reader.rest(), loaded) };
}

function readLandedMessage(bytes: Uint8Array, loaded: LoadedAddresses): LandedMessage {
  if (!isVersioned(bytes)) return { ...readMessage(bytes), loaded: [] };
  if (bytes[0] !== VERSION_0) throw new RangeError(`its message has version ${(bytes[0] ?? 0) & 0x7f}`);
  const reader = new ByteReader(bytes.subarray(1));
  const { header, addresses, blockhash } = readFront(reader);
  const accounts = [
    ...addresses.map((address, index) => accountOf(address, index, header, addresses.length)),
    ...loaded.writable.map((address) => ({ address, isSigner: false, isWritable: true })),
    ...loaded.readonly.map((address) => ({ address, isSigner: false, isWritable: false })),
  ];
  const instructions = reader.list(() => readInstruction(reader, accounts));
  const tables = reader.list(() => readTable(reader));
  if (!reader.isAtEnd) throw new RangeError('it has bytes behind its end');
  const [writable, readOnly] = [tables.flatMap((table) => table.writable), tables.flatMap((table) => table.readonly)];
  if (writable.length !== loaded.writable.length || readOnly.length !== loaded.readonly.length)
    throw new RangeError('its lookup tables gave another number of accounts than it takes');
  return { bytes, accounts, blockhash, instructions, loaded: [...loaded.writable, ...loaded.readonly] };
}

/** A legacy message's is below 0x80. */
const VERSION_0 = 0x80;

function isVersioned(bytes: Uint8Array): boolean {
  return (bytes[0] ?? 0) >= VERSION_0;
}

function readTable(reader: ByteReader) {
  reader.take(32);
  return { writable: reader.list(() => reader.byte()), readonly: reader.list(() => reader.byte()) };
}

/** Reads header, accounts, blockhash of both versions. */
function readFront(reader: ByteReader) {
  const header = { signers: reader.byte(), readonlySigners: reader.byte(), readonlyOthers: reader.byte() };
  const addresses = reader.list(() => toBase58(reader.take(32)));
  const blockhash = toBase58(reader.take(32));
  if (new Set(addresses).size !== addresses.length) throw new RangeError('it names an account twice');
  if (addresses.length === 0 || header.signers === 0) throw new RangeError('it has no fee payer');
  const isCounted =
    header.readonlySigners < header.signers && header.signers + header.readonlyOthers <= addresses.length;
  if (!isCounted) throw new RangeError('its header counts other accounts than it names');
  return { header, addresses, blockhash };
}

interface Header {
  readonly signers: number;
  readonly readonlySigners: number;
  readonly readonlyOthers: number;
}

/** Describes an account: signers come first; in both halves writable before read-only. */
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
