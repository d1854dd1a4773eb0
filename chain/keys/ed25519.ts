import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';

/** What stands before the 32 bytes of a seed in a PKCS #8 key: version 0, algorithm 1.3.101.112, an octet string in another (RFC 8410, section 7). */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');

const SEED_BYTES = 32;

/** The private key of a seed (RFC 8032), ready to sign with: making it takes longer than a signature. */
export function privateKeyOf(seed: Uint8Array): KeyObject {
  if (seed.length !== SEED_BYTES) throw new RangeError(`a seed has ${SEED_BYTES} bytes, got ${seed.length}`);
  return createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, seed]), format: 'der', type: 'pkcs8' });
}

/** The 32 bytes of the public key: the end of its SubjectPublicKeyInfo (RFC 8410, section 4). */
export function publicKeyOf(privateKey: KeyObject): Uint8Array {
  const spki = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
  return new Uint8Array(spki.subarray(spki.length - SEED_BYTES));
}

/** The signature of a message, 64 bytes; the same for the same message and key. */
export function signatureBy(privateKey: KeyObject, message: Uint8Array): Uint8Array {
  return new Uint8Array(sign(null, message, privateKey));
}
