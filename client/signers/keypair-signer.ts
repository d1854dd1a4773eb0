import { ed25519 } from '@noble/curves/ed25519.js';
import { toBase58 } from '../solana/bytes.ts';
import { readTransaction, writeTransaction } from '../solana/message.ts';
import type { Signer } from './signer.ts';

/** Such as a web3.js `Keypair`, or `{ secretKey }` of `solana-keygen`. */
export interface KeypairLike {
  /** 64 bytes: seed and public key. */
  readonly secretKey: Uint8Array;
}

/** Throws a RangeError unless it is 64 bytes whose halves match. */
export function keypairSigner({ secretKey }: KeypairLike): Signer {
  const seed = secretKey.slice(0, 32);
  const address = toBase58(secretKey.slice(32));
  if (secretKey.length !== 64 || toBase58(ed25519.getPublicKey(seed)) !== address) {
    throw new RangeError('it is not a secret key of 64 bytes as solana-keygen writes it');
  }
  return {
    address,
    async sign(transaction) {
      const { message, signatures } = readTransaction(transaction);
      const place = message.accounts.findIndex((account) => account.isSigner && account.address === address);
      if (place < 0) throw new RangeError(`the transaction does not ask for the signature of ${address}`);
      return writeTransaction(signatures.with(place, ed25519.sign(message.bytes, seed)), message.bytes);
    },
  };
}
