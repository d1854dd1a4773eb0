import { ed25519 } from '@noble/curves/ed25519.js';
import { PublicKey, VersionedTransaction } from '@solana/web3.js';
import bs58 from 'bs58';

/** Verifies strictly (RFC 8032), as validators do. */
export function isValidSignature(signature: Uint8Array, message: Uint8Array, key: PublicKey): boolean {
  try {
    return ed25519.verify(signature, message, key.toBytes(), { zip215: false });
  } catch {
    return false;
  }
}

/** True if the address (base58) signed these bytes. Neither a copied memo nor an RPC endpoint can forge that. */
export function isSignedBy(wire: Uint8Array, address: string): boolean {
  const { message, signatures } = VersionedTransaction.deserialize(wire);
  const signers = message.staticAccountKeys.slice(0, message.header.numRequiredSignatures);
  const signature = signatures[signers.findIndex((key) => key.toBase58() === address)];
  return signature !== undefined && isValidSignature(signature, message.serialize(), new PublicKey(address));
}

/** True if this is the first signature (base58) and the fee payer made it over these bytes. No other bytes have it. */
export function carriesSignature(wire: Uint8Array, signature: string): boolean {
  const { message, signatures } = VersionedTransaction.deserialize(wire);
  const [payer] = message.staticAccountKeys;
  const [first] = signatures;
  if (!payer || !first || bs58.encode(first) !== signature) return false;
  return isValidSignature(first, message.serialize(), payer);
}
