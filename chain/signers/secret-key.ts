import { Keypair } from '@solana/web3.js';
import bs58 from 'bs58';
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { SignerError } from './signer.ts';

const SECRET_KEY_BYTES = 64;

/** solana-keygen's: seed and public key. */
const KeygenFile = Compile(
  Type.Array(Type.Integer({ minimum: 0, maximum: 255 }), { minItems: SECRET_KEY_BYTES, maxItems: SECRET_KEY_BYTES }),
);

/**
 * 64 bytes in base58, or solana-keygen's JSON. Throws a SignerError without the value if it is neither or its halves
 * differ.
 */
export function parseSecretKey(name: string, text: string): Keypair {
  const bytes = decode(name, text.trim());
  try {
    return Keypair.fromSecretKey(bytes);
  } catch {
    // The library's message may quote the key.
    throw new SignerError(name, 'its public key does not belong to its secret');
  }
}

function decode(name: string, text: string): Uint8Array {
  const bytes = text.startsWith('[') ? decodeJson(text) : bs58.decodeUnsafe(text);
  if (bytes?.length === SECRET_KEY_BYTES) return bytes;
  throw new SignerError(name, 'is neither 64 bytes in base58 nor a JSON array of 64 bytes');
}

function decodeJson(text: string): Uint8Array | undefined {
  try {
    const numbers: unknown = JSON.parse(text);
    return KeygenFile.Check(numbers) ? Uint8Array.from(numbers) : undefined;
  } catch {
    return undefined;
  }
}
