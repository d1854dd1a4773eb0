import { VersionedTransaction } from '@solana/web3.js';

export function withoutSignatures(wire: Uint8Array): Uint8Array {
  const transaction = VersionedTransaction.deserialize(wire);
  return new VersionedTransaction(transaction.message).serialize();
}
