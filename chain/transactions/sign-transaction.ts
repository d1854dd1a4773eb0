import type { VersionedTransaction } from '@solana/web3.js';
import { isKeypair, type Signer, type TransactionSigner } from '../signers/signer.ts';
import { createKeypairSigner } from '../signers/keypair-signer.ts';
import { CheckedMessage } from './checked-message.ts';
import { type PlannedTransaction, type SignedTransaction, signatureOf } from './compile.ts';

/**
 * Compares with the plan and requires every signature. Rejects with a MessageMismatchError before signing, or a
 * SignerError.
 */
export async function signTransaction(
  transaction: PlannedTransaction,
  signers: readonly TransactionSigner[],
): Promise<SignedTransaction> {
  return signWhole(transaction, CheckedMessage.ofPlan(transaction), signers);
}

/** Signs a wallet's transaction, whose instructions the caller has compared with the issued ones. */
export async function signForWallet(
  transaction: VersionedTransaction,
  signers: readonly TransactionSigner[],
): Promise<SignedTransaction> {
  return signWhole(transaction, CheckedMessage.ofWallet(transaction.message), signers);
}

/** Signs with these keys; other signatures may be missing. */
export async function signPartly(
  transaction: PlannedTransaction,
  signers: readonly TransactionSigner[],
): Promise<void> {
  await addSignatures(transaction, CheckedMessage.ofPlan(transaction), signers);
}

async function signWhole(
  transaction: VersionedTransaction,
  message: CheckedMessage,
  signers: readonly TransactionSigner[],
): Promise<SignedTransaction> {
  await addSignatures(transaction, message, signers);
  const missing = transaction.signatures.findIndex((signature) => signature.every((byte) => byte === 0));
  if (missing >= 0) {
    throw new Error(`the signature of ${transaction.message.staticAccountKeys[missing]?.toBase58()} is missing`);
  }
  const { loaded } = message;
  return { signature: signatureOf(transaction), wire: transaction.serialize(), ...(loaded.length > 0 && { loaded }) };
}

async function addSignatures(
  transaction: VersionedTransaction,
  message: CheckedMessage,
  signers: readonly TransactionSigner[],
): Promise<void> {
  const all = signers.map(toSigner);
  const signatures = await Promise.all(all.map((signer) => signer.sign(message)));
  all.forEach(({ publicKey }, index) => transaction.addSignature(publicKey, signatures[index]!));
}

function toSigner(signer: TransactionSigner): Signer {
  return isKeypair(signer) ? createKeypairSigner(signer.publicKey.toBase58(), signer) : signer;
}
