import {
  type AddressLookupTableAccount,
  ComputeBudgetProgram,
  PublicKey,
  type TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import bs58 from 'bs58';
import { isKeypair, type Signer, type TransactionSigner } from '../signers/signer.ts';

/** Largest transaction that fits one packet, in bytes (IPv6 minimum MTU of 1,280 less headers). */
export const MAX_TRANSACTION_BYTES = 1_232;

/** Everything a transaction is made of but its signatures. */
export interface TransactionPlan {
  readonly payer: PublicKey;
  /** Comes before everything else: the advance of a durable nonce has to be the first instruction. */
  readonly first?: TransactionInstruction;
  readonly instructions: readonly TransactionInstruction[];
  /** Compute unit limit requested for the whole transaction. */
  readonly computeUnits: number;
  /** Priority fee in micro-lamports per compute unit; 0 leaves its instruction out. */
  readonly computeUnitPrice: bigint;
  /** A recent blockhash, or the value of the nonce that `first` advances. */
  readonly blockhash: string;
  readonly lookupTables?: readonly AddressLookupTableAccount[];
}

/** A fully signed transaction: its first signature is its id. */
export interface SignedTransaction {
  /** base58 */
  readonly signature: string;
  readonly wire: Uint8Array;
}

/** Compiles a v0 transaction with compute limit and priority fee in front (after `first`). Throws when it cannot fit one packet. */
export function compileTransaction(plan: TransactionPlan): VersionedTransaction {
  const message = new TransactionMessage({
    payerKey: plan.payer,
    recentBlockhash: plan.blockhash,
    instructions: [
      ...(plan.first ? [plan.first] : []),
      ComputeBudgetProgram.setComputeUnitLimit({ units: plan.computeUnits }),
      ...priorityFee(plan.computeUnitPrice),
      ...plan.instructions,
    ],
  }).compileToV0Message([...(plan.lookupTables ?? [])]);
  const transaction = new VersionedTransaction(message);
  assertFits(transaction);
  return transaction;
}

function priorityFee(microLamports: bigint): TransactionInstruction[] {
  return microLamports === 0n ? [] : [ComputeBudgetProgram.setComputeUnitPrice({ microLamports })];
}

/** Signs with all given keys and checks that no required signature is missing. Rejects with a SignerError when one does not sign. */
export async function signTransaction(
  transaction: VersionedTransaction,
  signers: readonly TransactionSigner[],
): Promise<SignedTransaction> {
  transaction.sign(signers.filter(isKeypair));
  const own = signers.filter((signer): signer is Signer => !isKeypair(signer));
  const message = transaction.message.serialize();
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
  if (bytes > MAX_TRANSACTION_BYTES) {
    throw new RangeError(`the transaction has ${bytes} bytes, ${MAX_TRANSACTION_BYTES} fit one packet`);
  }
}

function sizeOf(transaction: VersionedTransaction): number {
  const signatures = transaction.message.header.numRequiredSignatures;
  return 1 + 64 * signatures + transaction.message.serialize().length;
}

/** Parses a base58 address. Throws a RangeError that names the value. */
export function publicKey(address: string): PublicKey {
  try {
    return new PublicKey(address);
  } catch (cause) {
    throw new RangeError(`"${address}" is not a base58 address of 32 bytes`, { cause });
  }
}
