import {
  ComputeBudgetProgram,
  PublicKey,
  Transaction,
  type TransactionInstruction,
  TransactionMessage,
  type VersionedMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import bs58 from 'bs58';
import type { AgreedLookupTable } from './lookup-table.ts';

/** IPv6 minimum MTU of 1,280 minus headers. */
export const MAX_TRANSACTION_BYTES = 1_232;

export interface TransactionPlan {
  readonly payer: PublicKey;
  /** Instruction that comes before all others: the advance of a durable nonce. */
  readonly first?: TransactionInstruction;
  readonly instructions: readonly TransactionInstruction[];
  /** Compute limit; null: the cluster's default for each instruction. */
  readonly computeUnits: number | null;
  /** Micro-lamports; 0 omits the instruction. */
  readonly computeUnitPrice: bigint;
  /** The blockhash, or the value of the nonce that `first` advances. */
  readonly blockhash: string;
  readonly lookupTables?: readonly AgreedLookupTable[];
  /** Default v0. `legacy`, without lookup tables, is read by all wallets and libraries. */
  readonly format?: 'legacy' | 'v0';
}

/** A signed transaction; its first signature is its id. */
export interface SignedTransaction {
  /** base58 */
  readonly signature: string;
  readonly wire: Uint8Array;
  /** Accounts from lookup tables, writable ones first. */
  readonly loaded?: readonly PublicKey[];
}

export interface MeantMessage {
  readonly payer: PublicKey;
  readonly blockhash: string;
  readonly instructions: readonly TransactionInstruction[];
  readonly lookupTables: readonly AgreedLookupTable[];
}

/** A planned transaction; not exported, so that only {@link compileTransaction} creates one. */
class Planned extends VersionedTransaction {
  readonly #meant: MeantMessage;

  constructor(message: VersionedMessage, meant: MeantMessage) {
    super(message);
    this.#meant = meant;
  }

  get meant(): MeantMessage {
    return this.#meant;
  }
}

/** A transaction with its plan, to compare before signing. */
export type PlannedTransaction = Planned;

export class TransactionTooLargeError extends RangeError {
  constructor(bytes: string) {
    super(`the transaction has ${bytes} bytes, ${MAX_TRANSACTION_BYTES} fit one packet`);
    this.name = 'TransactionTooLargeError';
  }
}

/** Puts compute limit and priority fee in front (after `first`). Throws a TransactionTooLargeError. */
export function compileTransaction(plan: TransactionPlan): PlannedTransaction {
  const instructions = [
    ...(plan.first ? [plan.first] : []),
    ...computeLimit(plan.computeUnits),
    ...priorityFee(plan.computeUnitPrice),
    ...plan.instructions,
  ];
  const compile = plan.format === 'legacy' ? legacyMessage : v0Message;
  const { payer, blockhash, lookupTables = [] } = plan;
  const transaction = new Planned(compile(plan, instructions), { payer, blockhash, instructions, lookupTables });
  assertFits(transaction);
  return transaction;
}

function v0Message(plan: TransactionPlan, instructions: TransactionInstruction[]): VersionedMessage {
  const { payer: payerKey, blockhash: recentBlockhash, lookupTables = [] } = plan;
  return new TransactionMessage({ payerKey, recentBlockhash, instructions }).compileToV0Message([...lookupTables]);
}

/** Compiles through `Transaction`, so that a client that recompiles it gets the same account order. */
function legacyMessage(plan: TransactionPlan, instructions: TransactionInstruction[]): VersionedMessage {
  if (plan.lookupTables?.length) throw new TypeError('a legacy transaction has no lookup tables');
  const transaction = new Transaction();
  transaction.feePayer = plan.payer;
  transaction.recentBlockhash = plan.blockhash;
  return transaction.add(...instructions).compileMessage();
}

function computeLimit(units: number | null): TransactionInstruction[] {
  return units === null ? [] : [ComputeBudgetProgram.setComputeUnitLimit({ units })];
}

function priorityFee(microLamports: bigint): TransactionInstruction[] {
  return microLamports === 0n ? [] : [ComputeBudgetProgram.setComputeUnitPrice({ microLamports })];
}

/** base58 */
export function signatureOf(transaction: VersionedTransaction): string {
  const signature = transaction.signatures[0];
  if (!signature) throw new Error('a transaction without a fee payer has no signature');
  return bs58.encode(signature);
}

function assertFits(transaction: VersionedTransaction): void {
  const bytes = sizeOf(transaction);
  if (bytes > MAX_TRANSACTION_BYTES) throw new TransactionTooLargeError(`${bytes}`);
}

function sizeOf({ message }: VersionedTransaction): number {
  return 1 + 64 * message.header.numRequiredSignatures + serialize(message).length;
}

/** Serialises. Its error has the size; web3.js reports only that a buffer overran. */
function serialize(message: VersionedTransaction['message']): Uint8Array {
  try {
    return message.serialize();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new TransactionTooLargeError(`more than ${MAX_TRANSACTION_BYTES}`);
  }
}

/** Parses base58. Throws a RangeError that names the value. */
export function publicKey(address: string): PublicKey {
  try {
    return new PublicKey(address);
  } catch (cause) {
    throw new RangeError(`"${address}" is not a base58 address of 32 bytes`, { cause });
  }
}
