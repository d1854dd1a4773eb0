import { VersionedTransaction } from '@solana/web3.js';
import { AppError } from '../../domain/errors.ts';
import { MAX_TRANSACTION_BYTES } from './compile.ts';
import { isValidSignature } from './verify.ts';

/** Words a refusal for whoever signed: what is wrong with the transaction, and what to do instead. */
export type Refusal = (what: string) => AppError;

/**
 * Parses a transaction that a wallet returns: canonical base64, one packet at most, no byte that belongs to no transaction.
 * Throws AppError `invalid_request`, worded by `refuse`.
 */
export function parseSignedTransaction(base64: string, refuse: Refusal): VersionedTransaction {
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.toString('base64') !== base64) throw refuse('is not canonical base64');
  if (bytes.length > MAX_TRANSACTION_BYTES) {
    throw refuse(`has ${bytes.length} bytes, a transaction has at most ${MAX_TRANSACTION_BYTES}`);
  }
  const transaction = deserialize(bytes);
  if (!Buffer.from(transaction.serialize()).equals(bytes)) throw refuse('has bytes that belong to no transaction');
  return transaction;
}

/** Throws, worded by `refuse`, unless the fee payer has validly signed. Signatures of others are not looked at. */
export function assertFeePayerSigned({ message, signatures }: VersionedTransaction, refuse: Refusal): void {
  const payer = message.staticAccountKeys[0]!;
  const signature = signatures[0]!;
  if (signature.every((byte) => byte === 0)) throw refuse(`is not signed by ${payer.toBase58()}`);
  if (!isValidSignature(signature, message.serialize(), payer)) {
    throw refuse(`carries a signature that is not ${payer.toBase58()}'s over this message`);
  }
}

function deserialize(bytes: Uint8Array): VersionedTransaction {
  try {
    const transaction = VersionedTransaction.deserialize(bytes);
    if (transaction.signatures.length === 0) throw new RangeError('it has no signature');
    transaction.message.serialize();
    return transaction;
  } catch (cause) {
    throw new AppError('invalid_request', 'signedTransaction is not a Solana transaction', { cause });
  }
}
