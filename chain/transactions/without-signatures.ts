import { VersionedTransaction } from '@solana/web3.js';

/** The same transaction with every signature zeroed. */
export function withoutSignatures(wire: Uint8Array): Uint8Array {
  const transaction = VersionedTransaction.deserialize(wire);
  return new VersionedTransaction(transaction.message).serialize();
}
