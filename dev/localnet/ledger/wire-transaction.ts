import { createHash } from 'node:crypto';
import { toBase58 } from '../encoding/base58.ts';
import type { Address } from './account.ts';
import { ByteReader } from './byte-reader.ts';

/** IPv6 MTU less headers. */
export const PACKET_BYTES = 1232;

export interface CompiledInstruction {
  readonly programIdIndex: number;
  readonly accounts: readonly number[];
  readonly data: Uint8Array;
}

export interface TableLookup {
  readonly table: Address;
  readonly writable: readonly number[];
  readonly readonly: readonly number[];
}

export interface MessageHeader {
  readonly numRequiredSignatures: number;
  readonly numReadonlySignedAccounts: number;
  readonly numReadonlyUnsignedAccounts: number;
}

/** Legacy and v0. */
export interface WireMessage {
  readonly bytes: Uint8Array;
  /** SHA-256, hex; independent of signatures. */
  readonly hash: string;
  readonly version: 'legacy' | 0;
  readonly header: MessageHeader;
  readonly staticKeys: readonly Address[];
  readonly blockhash: string;
  readonly instructions: readonly CompiledInstruction[];
  readonly lookups: readonly TableLookup[];
}

export interface WireTransaction {
  readonly wire: Uint8Array;
  readonly signatures: readonly Uint8Array[];
  /** First, base58. */
  readonly id: string;
  readonly message: WireMessage;
}

export class MalformedTransactionError extends Error {
  override readonly name = 'MalformedTransactionError';
}

function readInstruction(reader: ByteReader): CompiledInstruction {
  const programIdIndex = reader.u8();
  const accounts = [...reader.take(reader.compactLength())];
  return { programIdIndex, accounts, data: reader.take(reader.compactLength()) };
}

function readLookup(reader: ByteReader): TableLookup {
  const table = toBase58(reader.take(32));
  const writable = [...reader.take(reader.compactLength())];
  return { table, writable, readonly: [...reader.take(reader.compactLength())] };
}

function readList<T>(reader: ByteReader, read: (reader: ByteReader) => T): T[] {
  return Array.from({ length: reader.compactLength() }, () => read(reader));
}

function readVersion(reader: ByteReader): 'legacy' | 0 {
  if ((reader.peek() & 0x80) === 0) return 'legacy';
  const version = reader.u8() & 0x7f;
  if (version !== 0) throw new MalformedTransactionError(`transaction version ${version} is not supported`);
  return 0;
}

function readMessageParts(reader: ByteReader): Omit<WireMessage, 'bytes' | 'hash'> {
  const version = readVersion(reader);
  const header = {
    numRequiredSignatures: reader.u8(),
    numReadonlySignedAccounts: reader.u8(),
    numReadonlyUnsignedAccounts: reader.u8(),
  };
  const staticKeys = readList(reader, (from) => toBase58(from.take(32)));
  const blockhash = toBase58(reader.take(32));
  const instructions = readList(reader, readInstruction);
  const lookups = version === 0 ? readList(reader, readLookup) : [];
  return { version, header, staticKeys, blockhash, instructions, lookups };
}

function assertSane(message: Omit<WireMessage, 'bytes' | 'hash'>): void {
  const { header, staticKeys, instructions, lookups } = message;
  const keys = staticKeys.length + lookups.reduce((sum, l) => sum + l.writable.length + l.readonly.length, 0);
  const fail = (reason: string): never => {
    throw new MalformedTransactionError(reason);
  };
  if (header.numRequiredSignatures === 0) fail('no signer');
  if (header.numReadonlySignedAccounts >= header.numRequiredSignatures) fail('no writable fee payer');
  if (header.numRequiredSignatures + header.numReadonlyUnsignedAccounts > staticKeys.length) {
    fail(`header counts exceed ${staticKeys.length} account keys`);
  }
  if (keys > 256) fail(`${keys} account keys, at most 256`);
  for (const { programIdIndex, accounts } of instructions) {
    if (programIdIndex === 0 || programIdIndex >= staticKeys.length) fail(`program index ${programIdIndex}`);
    for (const index of accounts) if (index >= keys) fail(`account index ${index} of ${keys}`);
  }
}

/** @throws MalformedTransactionError */
export function decodeMessage(bytes: Uint8Array): WireMessage {
  const reader = new ByteReader(bytes);
  const parts = readMessageParts(reader);
  if (reader.remaining > 0) throw new MalformedTransactionError(`${reader.remaining} bytes after the message`);
  assertSane(parts);
  return { bytes, hash: createHash('sha256').update(bytes).digest('hex'), ...parts };
}

/** @throws MalformedTransactionError */
export function decodeTransaction(wire: Uint8Array): WireTransaction {
  const reader = new ByteReader(wire);
  const signatures = readList(reader, (from) => from.take(64));
  const message = decodeMessage(reader.take(reader.remaining));
  if (signatures.length !== message.header.numRequiredSignatures) {
    const wanted = message.header.numRequiredSignatures;
    throw new MalformedTransactionError(`${signatures.length} signatures, ${wanted} required`);
  }
  return { wire, signatures, id: toBase58(signatures[0] ?? new Uint8Array(64)), message };
}
