import { fromBase64 } from './bytes.ts';
import { readTransaction, type WireTransaction } from './message.ts';
import { mustHold, RefusedError } from './refusal.ts';

/** Reads base64. Throws a RefusedError if unreadable or without a signature place. */
export function readIssued(base64: string): WireTransaction {
  const transaction = parsed(base64);
  const signers = transaction.message.accounts.filter(({ isSigner }) => isSigner).length;
  mustHold(transaction.signatures.length === signers, 'it has not one place for each signature');
  return transaction;
}

function parsed(base64: string): WireTransaction {
  try {
    return readTransaction(fromBase64(base64));
  } catch (cause) {
    throw new RefusedError(cause instanceof Error ? cause.message : 'it cannot be read', cause);
  }
}
