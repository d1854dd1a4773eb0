import type { Keypair } from '@solana/web3.js';
import { privateKeyOf, signatureBy } from '../keys/ed25519.ts';
import type { Signer } from './signer.ts';

/** The rest is the public key. */
const SEED_BYTES = 32;

/** Holds the key in no property, so it cannot be printed. */
export function createKeypairSigner(name: string, keypair: Keypair): Signer {
  const privateKey = privateKeyOf(keypair.secretKey.slice(0, SEED_BYTES));
  return {
    publicKey: keypair.publicKey,
    name,
    sign: (message) => Promise.resolve(signatureBy(privateKey, message.bytes)),
  };
}
