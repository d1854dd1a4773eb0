import { ed25519 } from '@noble/curves/ed25519.js';
import { toBase58 } from '../solana/bytes.ts';
import { readTransaction, writeTransaction } from '../solana/message.ts';
import type { Signer } from './signer.ts';

/** A key in memory: a `Keypair` of web3.js is one, and so is `{ secretKey }` of a file that `solana-keygen` wrote. */
export interface KeypairLike {
  /** 64 bytes: the seed and the public key. */
  readonly secretKey: Uint8Array;
}

/** Signs with a key in memory. Throws a RangeError for what is no secret key of 64 bytes whose halves belong together. */
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
