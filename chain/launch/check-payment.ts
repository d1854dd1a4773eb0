import { VersionedMessage, type VersionedTransaction } from '@solana/web3.js';
import { AppError } from '../../domain/errors.ts';
import { quoteIdOfPayment } from '../../domain/purpose.ts';
import { signatureOf } from '../transactions/compile.ts';
import { MEMO_PROGRAM_ID } from '../transactions/memo.ts';
import { assertFeePayerSigned, parseSignedTransaction, UNALTERED } from '../transactions/signed-by-wallet.ts';
import { assertSignedAsIssued } from '../transactions/wallet-changes.ts';

export interface CheckedPayment {
  readonly transaction: VersionedTransaction;
  /** The creator's, base58; the payment's id. */
  readonly signature: string;
}

/**
 * Requires the issued instructions (base64) in order, at most the additions wallets make, and a valid signature of the
 * creator. Throws AppError `invalid_request` that names the difference.
 */
export function checkSignedPayment(issuedMessage: string, signedTransaction: string): CheckedPayment {
  const transaction = parseSignedTransaction(signedTransaction, altered);
  const issued = VersionedMessage.deserialize(Buffer.from(issuedMessage, 'base64'));
  assertSignedAsIssued(issued, transaction.message, altered);
  assertFeePayerSigned(transaction, altered);
  return { transaction, signature: signatureOf(transaction) };
}

/** Reads the quote id unverified; null if it is no payment. */
export function quoteIdIn(signedTransaction: string): string | null {
  const { message } = parseSignedTransaction(signedTransaction, altered);
  const memos = message.compiledInstructions.filter(({ programIdIndex }) =>
    message.staticAccountKeys[programIdIndex]?.equals(MEMO_PROGRAM_ID),
  );
  const purposes = memos.map(({ data }) => Buffer.from(data).toString('utf8'));
  return purposes.map(quoteIdOfPayment).find((quoteId) => quoteId !== null) ?? null;
}

function altered(what: string): AppError {
  return new AppError(
    'invalid_request',
    `signedTransaction ${what}; sign the paymentTransaction from prepare unaltered${UNALTERED}`,
  );
}
