import { ed25519 } from '@noble/curves/ed25519.js';
import { PublicKey, VersionedTransaction } from '@solana/web3.js';

/** Strict Ed25519 verification (RFC 8032), as validators do it. */
export function isValidSignature(signature: Uint8Array, message: Uint8Array, key: PublicKey): boolean {
  try {
    return ed25519.verify(signature, message, key.toBytes(), { zip215: false });
  } catch {
    return false;
  }
}

/**
 * True when a serialized transaction carries this address's (base58) valid signature as a required signer. Whoever answered
 * the bytes cannot have made that up: not a stranger who copied a memo, not an RPC endpoint.
 */
export function isSignedBy(wire: Uint8Array, address: string): boolean {
  const { message, signatures } = VersionedTransaction.deserialize(wire);
  const signers = message.staticAccountKeys.slice(0, message.header.numRequiredSignatures);
  const signature = signatures[signers.findIndex((key) => key.toBase58() === address)];
  return signature !== undefined && isValidSignature(signature, message.serialize(), new PublicKey(address));
}
