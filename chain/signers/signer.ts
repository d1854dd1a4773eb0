import { Keypair, type PublicKey } from '@solana/web3.js';

/** A key of the platform that signs messages, wherever its secret lies. */
export interface Signer {
  readonly publicKey: PublicKey;
  /** What the key is for and where it lies, for messages and logs: `treasury key (aws-kms:alias/treasury)`. */
  readonly name: string;
  /** Ed25519 signature (64 bytes) of the message. Rejects with a SignerError. */
  readonly sign: (message: Uint8Array) => Promise<Uint8Array>;
}

/** Whatever can sign a transaction: a derived key pair of this process, or one of the platform's own signers. */
export type TransactionSigner = Keypair | Signer;

/** A signer cannot be opened or does not sign. The message names the key and its source, never a secret. */
export class SignerError extends Error {
  constructor(name: string, problem: string, cause?: unknown) {
    super(`${name}: ${problem}`, { cause });
    this.name = 'SignerError';
  }
}

/** True for a key pair whose secret this process holds outside of a signer. */
export function isKeypair(signer: TransactionSigner): signer is Keypair {
  return signer instanceof Keypair;
}
