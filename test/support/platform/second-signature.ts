import { randomBytes } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { sha512 } from '@noble/hashes/sha2.js';
import { type Keypair, VersionedTransaction } from '@solana/web3.js';

/**
 * Signs a base64 transaction as RFC 8032 says (5.1.6), but with a random nonce instead of the one that follows from key and
 * message: every call gives another signature of the same message, and each is valid.
 */
export function signedAnew(base64: string, signer: Keypair): string {
  const transaction = VersionedTransaction.deserialize(Buffer.from(base64, 'base64'));
  transaction.signatures[0] = signWithRandomNonce(transaction.message.serialize(), signer);
  return Buffer.from(transaction.serialize()).toString('base64');
}

function signWithRandomNonce(message: Uint8Array, signer: Keypair): Uint8Array {
  const { scalar, pointBytes } = ed25519.utils.getExtendedPublicKey(signer.secretKey.subarray(0, 32));
  const { Fn, BASE } = ed25519.Point;
  const nonce = Fn.create(littleEndian(randomBytes(64)));
  const commitment = BASE.multiply(nonce).toBytes();
  const challenge = Fn.create(littleEndian(sha512(Buffer.concat([commitment, pointBytes, message]))));
  const response = Fn.create(nonce + challenge * scalar);
  return Buffer.concat([commitment, Fn.toBytes(response)]);
}

function littleEndian(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`);
}
