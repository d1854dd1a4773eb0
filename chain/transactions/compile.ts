import {
  type AddressLookupTableAccount,
  ComputeBudgetProgram,
  PublicKey,
  Transaction,
  type TransactionInstruction,
  TransactionMessage,
  type VersionedMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import bs58 from 'bs58';
import { privateKeyOf, signatureBy } from '../keys/ed25519.ts';
import { isKeypair, type Signer, type TransactionSigner } from '../signers/signer.ts';

/** Largest transaction that fits one packet, in bytes (IPv6 minimum MTU of 1,280 less headers). */
export const MAX_TRANSACTION_BYTES = 1_232;

/** Everything a transaction is made of but its signatures. */
export interface TransactionPlan {
  readonly payer: PublicKey;
  /** Comes before everything else: the advance of a durable nonce has to be the first instruction. */
  readonly first?: TransactionInstruction;
  readonly instructions: readonly TransactionInstruction[];
  /** Compute unit limit requested for the whole transaction; null asks for none, then each instruction has a share of its own. */
  readonly computeUnits: number | null;
  /** Priority fee in micro-lamports per compute unit; 0 leaves its instruction out. */
  readonly computeUnitPrice: bigint;
  /** A recent blockhash, or the value of the nonce that `first` advances. */
  readonly blockhash: string;
  readonly lookupTables?: readonly AddressLookupTableAccount[];
  /**
   * Default: v0. `legacy` is what every wallet and library reads, also `Transaction` of web3.js, which throws on v0; it has no
   * lookup tables.
   */
  readonly format?: 'legacy' | 'v0';
}

/** A fully signed transaction: its first signature is its id. */
export interface SignedTransaction {
  /** base58 */
  readonly signature: string;
  readonly wire: Uint8Array;
}

/** A transaction does not fit one packet; the message says how many bytes it has. */
export class TransactionTooLargeError extends RangeError {
  constructor(bytes: string) {
    super(`the transaction has ${bytes} bytes, ${MAX_TRANSACTION_BYTES} fit one packet`);
    this.name = 'TransactionTooLargeError';
  }
}

/**
 * Compiles a transaction with compute limit and priority fee in front (after `first`). Throws a TransactionTooLargeError
 * when it cannot fit one packet.
 */
export function compileTransaction(plan: TransactionPlan): VersionedTransaction {
  const instructions = [
    ...(plan.first ? [plan.first] : []),
    ...computeLimit(plan.computeUnits),
    ...priorityFee(plan.computeUnitPrice),
    ...plan.instructions,
  ];
  const compile = plan.format === 'legacy' ? legacyMessage : v0Message;
  const transaction = new VersionedTransaction(compile(plan, instructions));
  assertFits(transaction);
  return transaction;
}

function v0Message(plan: TransactionPlan, instructions: TransactionInstruction[]): VersionedMessage {
  const { payer: payerKey, blockhash: recentBlockhash, lookupTables = [] } = plan;
  return new TransactionMessage({ payerKey, recentBlockhash, instructions }).compileToV0Message([...lookupTables]);
}

/** Compiled by `Transaction` and not by `TransactionMessage`: a client that compiles it anew gets the same order of accounts. */
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

/** Signs with all given keys and checks that no required signature is missing. Rejects with a SignerError when one does not sign. */
export async function signTransaction(
  transaction: VersionedTransaction,
  signers: readonly TransactionSigner[],
): Promise<SignedTransaction> {
  const message = transaction.message.serialize();
  for (const { publicKey, secretKey } of signers.filter(isKeypair)) {
    transaction.addSignature(publicKey, signatureBy(privateKeyOf(secretKey.subarray(0, 32)), message));
  }
  const own = signers.filter((signer): signer is Signer => !isKeypair(signer));
  const signatures = await Promise.all(own.map((signer) => signer.sign(message)));
  own.forEach(({ publicKey }, index) => transaction.addSignature(publicKey, signatures[index]!));
  const missing = transaction.signatures.findIndex((signature) => signature.every((byte) => byte === 0));
  if (missing >= 0) {
    throw new Error(`the signature of ${transaction.message.staticAccountKeys[missing]?.toBase58()} is missing`);
  }
  return { signature: signatureOf(transaction), wire: transaction.serialize() };
}

/** The transaction's id: its fee payer's signature, base58. */
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

/** web3.js writes a message into a buffer of one packet, and says of a larger one only that it overran. */
function serialize(message: VersionedTransaction['message']): Uint8Array {
  try {
    return message.serialize();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new TransactionTooLargeError(`more than ${MAX_TRANSACTION_BYTES}`);
  }
}

/** Parses a base58 address. Throws a RangeError that names the value. */
export function publicKey(address: string): PublicKey {
  try {
    return new PublicKey(address);
  } catch (cause) {
    throw new RangeError(`"${address}" is not a base58 address of 32 bytes`, { cause });
  }
}
