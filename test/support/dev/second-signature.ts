import { ed25519 } from '@noble/curves/ed25519.js';
import { sha512 } from '@noble/hashes/sha2.js';
import { randomBytes } from 'node:crypto';

const ORDER = ed25519.Point.Fn.ORDER;

function numberOf(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`);
}

/**
 * A valid Ed25519 signature (RFC 8032) with a random nonce where the standard derives it: another signature of the
 * same message by the same key.
 */
export function signAnew(message: Uint8Array, secretKey: Uint8Array): Uint8Array {
  const { scalar, pointBytes } = ed25519.utils.getExtendedPublicKey(secretKey.subarray(0, 32));
  const nonce = numberOf(randomBytes(64)) % ORDER;
  const commitment = ed25519.Point.BASE.multiply(nonce).toBytes();
  const challenge = numberOf(sha512(Buffer.concat([commitment, pointBytes, message]))) % ORDER;
  const response = (nonce + challenge * scalar) % ORDER;
  return Buffer.concat([commitment, Buffer.from(response.toString(16).padStart(64, '0'), 'hex').reverse()]);
}
