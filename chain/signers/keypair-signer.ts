import type { Keypair } from '@solana/web3.js';
import { privateKeyOf, signatureBy } from '../keys/ed25519.ts';
import type { Signer } from './signer.ts';

/** Bytes of a secret key that are its seed; the rest repeats the public key. */
const SEED_BYTES = 32;

/** A signer whose secret lies in this process. The secret is no property of it, so that nothing can print it. */
export function createKeypairSigner(name: string, keypair: Keypair): Signer {
  const privateKey = privateKeyOf(keypair.secretKey.slice(0, SEED_BYTES));
  return {
    publicKey: keypair.publicKey,
    name,
    sign: (message) => Promise.resolve(signatureBy(privateKey, message)),
  };
}
