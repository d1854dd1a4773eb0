import { Keypair, type PublicKey } from '@solana/web3.js';
import type { CheckedMessage } from '../transactions/checked-message.ts';

export interface Signer {
  readonly publicKey: PublicKey;
  /** As `treasury key (aws-kms:alias/treasury)`. */
  readonly name: string;
  /** 64 bytes. Rejects with a SignerError. */
  readonly sign: (message: CheckedMessage) => Promise<Uint8Array>;
}

export type TransactionSigner = Keypair | Signer;

/** Names key and source, never a secret. */
export class SignerError extends Error {
  constructor(name: string, problem: string, cause?: unknown) {
    super(`${name}: ${problem}`, { cause });
    this.name = 'SignerError';
  }
}

export function isKeypair(signer: TransactionSigner): signer is Keypair {
  return signer instanceof Keypair;
}
