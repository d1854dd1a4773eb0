import { fromBase64 } from './bytes.ts';
import { readTransaction, type WireTransaction } from './message.ts';
import { mustHold, RefusedError } from './refusal.ts';

/** Reads a transaction that the platform issued, base64. Refuses one that cannot be read whole, or that lacks a place for a signature. */
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
