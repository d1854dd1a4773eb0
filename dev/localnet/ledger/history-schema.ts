import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { deserialize } from 'node:v8';
import type { TransactionError } from '../engine/transaction-error.ts';
import type { TransactionRecord } from './record.ts';

/** The SOL supply is below 2^63. */
export const TABLES = `
  CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS blocks (
    slot INTEGER PRIMARY KEY, parent_slot INTEGER NOT NULL, height INTEGER NOT NULL,
    blockhash TEXT NOT NULL, previous_blockhash TEXT NOT NULL, time INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS transactions (
    slot INTEGER NOT NULL, place INTEGER NOT NULL, signature TEXT NOT NULL,
    message_hash TEXT NOT NULL, err TEXT NOT NULL, record BLOB NOT NULL,
    PRIMARY KEY (slot, place));
  CREATE INDEX IF NOT EXISTS transactions_by_signature ON transactions (signature);
  CREATE TABLE IF NOT EXISTS mentions (
    address TEXT NOT NULL, slot INTEGER NOT NULL, place INTEGER NOT NULL,
    PRIMARY KEY (address, slot, place)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS accounts (
    address TEXT NOT NULL, slot INTEGER NOT NULL, lamports INTEGER NOT NULL,
    owner TEXT NOT NULL, executable INTEGER NOT NULL, data BLOB NOT NULL,
    PRIMARY KEY (address, slot));
`;

const Bytes = Type.Unsafe<Uint8Array>(Type.Refine(Type.Unknown(), (value) => value instanceof Uint8Array));

export const BlockRow = Compile(
  Type.Object({
    slot: Type.BigInt(),
    parent_slot: Type.BigInt(),
    height: Type.BigInt(),
    blockhash: Type.String(),
    previous_blockhash: Type.String(),
    time: Type.BigInt(),
  }),
);

export const AccountRow = Compile(
  Type.Object({
    address: Type.String(),
    slot: Type.BigInt(),
    lamports: Type.BigInt(),
    owner: Type.String(),
    executable: Type.BigInt(),
    data: Bytes,
  }),
);

export const RecordRow = Compile(Type.Object({ record: Bytes }));
export const PlaceRow = Compile(Type.Object({ slot: Type.BigInt(), place: Type.BigInt() }));
export const SlotRow = Compile(Type.Object({ slot: Type.BigInt() }));
export const ValueRow = Compile(Type.Object({ value: Type.String() }));

const Balance = Type.Object({
  accountIndex: Type.Number(),
  mint: Type.String(),
  owner: Type.String(),
  programId: Type.String(),
  amount: Type.BigInt(),
  decimals: Type.Number(),
});

const Inner = Type.Object({
  programIdIndex: Type.Number(),
  accounts: Type.Array(Type.Number()),
  data: Bytes,
  stackHeight: Type.Number(),
});

const ErrorJson = Type.Union([
  Type.String(),
  Type.Object({
    InstructionError: Type.Tuple([Type.Number(), Type.Union([Type.String(), Type.Object({ Custom: Type.Number() })])]),
  }),
  Type.Object({ DuplicateInstruction: Type.Number() }),
  Type.Object({ InsufficientFundsForRent: Type.Object({ account_index: Type.Number() }) }),
  Type.Object({ ProgramExecutionTemporarilyRestricted: Type.Object({ account_index: Type.Number() }) }),
]);

const StatusRowSchema = Compile(
  Type.Object({ slot: Type.BigInt(), signature: Type.String(), message_hash: Type.String(), err: Type.String() }),
);
const StoredError = Compile(Type.Union([Type.Null(), ErrorJson]));

export interface StoredStatus {
  readonly slot: number;
  readonly signature: string;
  readonly messageHash: string;
  readonly err: TransactionError | null;
}

/** @throws for another version */
export function statusOf(row: unknown): StoredStatus {
  const { slot, signature, message_hash: messageHash, err } = StatusRowSchema.Parse(row);
  return { slot: Number(slot), signature, messageHash, err: StoredError.Parse(JSON.parse(err)) };
}

const StoredRecord = Compile(
  Type.Object({
    signature: Type.String(),
    slot: Type.Number(),
    index: Type.Number(),
    blockTime: Type.Number(),
    messageHash: Type.String(),
    wire: Bytes,
    keys: Type.Array(Type.String()),
    loaded: Type.Object({ writable: Type.Array(Type.String()), readonly: Type.Array(Type.String()) }),
    err: Type.Union([Type.Null(), ErrorJson]),
    fee: Type.BigInt(),
    computeUnits: Type.BigInt(),
    logs: Type.Array(Type.String()),
    inner: Type.Array(Type.Array(Inner)),
    returnData: Type.Union([Type.Null(), Type.Object({ programId: Type.String(), data: Bytes })]),
    preBalances: Type.Array(Type.BigInt()),
    postBalances: Type.Array(Type.BigInt()),
    preTokenBalances: Type.Array(Balance),
    postTokenBalances: Type.Array(Balance),
    memo: Type.Union([Type.Null(), Type.String()]),
  }),
);

/** @throws for another version */
export function decodeRecord(bytes: Uint8Array): TransactionRecord {
  return StoredRecord.Parse(deserialize(bytes));
}
