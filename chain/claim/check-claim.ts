import { VersionedMessage } from '@solana/web3.js';
import { AppError } from '../../domain/errors.ts';
import { signatureOf } from '../transactions/compile.ts';
import { assertFeePayerSigned, parseSignedTransaction, UNALTERED } from '../transactions/signed-by-wallet.ts';
import { assertSignedAsIssued } from '../transactions/wallet-changes.ts';

export interface CheckedClaim {
  /** The wallet's, over `message`, base58. */
  readonly signature: string;
  /** Issued, plus the wallet's additions. */
  readonly message: Uint8Array;
}

/**
 * Requires the issued instructions in order, at most the additions wallets make, and a valid signature of the fee
 * payer. Throws AppError `invalid_request` that names the difference.
 */
export function checkSignedClaim(issuedMessage: Uint8Array, signedTransaction: string): CheckedClaim {
  const transaction = parseSignedTransaction(signedTransaction, altered);
  assertSignedAsIssued(VersionedMessage.deserialize(issuedMessage), transaction.message, altered);
  assertFeePayerSigned(transaction, altered);
  return { signature: signatureOf(transaction), message: transaction.message.serialize() };
}

function altered(what: string): AppError {
  return new AppError(
    'invalid_request',
    `signedTransaction ${what}; sign the transaction from prepare unaltered${UNALTERED}`,
  );
}
