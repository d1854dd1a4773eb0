import { VersionedTransaction } from '@solana/web3.js';
import { AppError } from '../../domain/errors.ts';
import { MAX_TRANSACTION_BYTES } from './compile.ts';
import { isValidSignature } from './verify.ts';

/** Makes the error. Its message says what is wrong, and what the client can do. */
export type Refusal = (what: string) => AppError;

export const UNALTERED =
  ' (a wallet that changes it by itself: switch its automatic fees or protection off, or sign with another wallet or the slipway command line)';

/**
 * Parses a transaction that a wallet signed. Accepts either base64 alphabet, with or without padding and line breaks.
 * Missing signatures may be zeros or left out. Throws the error of `refuse` for trailing bytes, or more than a packet.
 */
export function parseSignedTransaction(text: string, refuse: Refusal): VersionedTransaction {
  const given = bytesOf(text);
  if (given === null) throw refuse('is not base64');
  const bytes = withAllPlaces(given);
  if (bytes.length > MAX_TRANSACTION_BYTES) {
    throw refuse(`has ${bytes.length} bytes, a transaction has at most ${MAX_TRANSACTION_BYTES}`);
  }
  const transaction = deserialize(bytes);
  if (!Buffer.from(transaction.serialize()).equals(bytes)) throw refuse('has bytes that belong to no transaction');
  return transaction;
}

/** Null for an invalid character, which Node would skip. */
function bytesOf(text: string): Buffer | null {
  const payload = text
    .replace(/\s+/g, '')
    .replace(/={1,2}$/, '')
    .replaceAll('-', '+')
    .replaceAll('_', '/');
  const bytes = Buffer.from(payload, 'base64');
  return bytes.toString('base64').replace(/=+$/, '') === payload ? bytes : null;
}

/** Length of a signature in bytes. */
const PLACE = 64;

/** First byte of a versioned message (solana-sdk, message/versions). */
const VERSION_PREFIX = 0x80;

/** Adds signature places that a library omitted. */
function withAllPlaces(bytes: Buffer): Buffer {
  const count = bytes[0] ?? 0;
  const at = 1 + PLACE * count;
  const required = ((bytes[at] ?? 0) & VERSION_PREFIX) === 0 ? bytes[at] : bytes[at + 1];
  if (count === 0 || required === undefined || count >= required || required >= VERSION_PREFIX) return bytes;
  const missing = Buffer.alloc(PLACE * (required - count));
  return Buffer.concat([Buffer.of(required), bytes.subarray(1, at), missing, bytes.subarray(at)]);
}

/** Advice for libraries that refuse to serialise without the platform's signature. */
const HOW_TO_SIGN =
  'the platform adds its own signature last, so sign with this wallet alone and send `transaction.serialize({ requireAllSignatures: false })` (web3.js), or what the wallet signed';

/** Requires the fee payer's signature and ignores others. Throws the error of `refuse`. */
export function assertFeePayerSigned({ message, signatures }: VersionedTransaction, refuse: Refusal): void {
  const payer = message.staticAccountKeys[0]!;
  const signature = signatures[0]!;
  if (signature.every((byte) => byte === 0)) throw refuse(`is not signed by ${payer.toBase58()} (${HOW_TO_SIGN})`);
  if (!isValidSignature(signature, message.serialize(), payer)) {
    throw refuse(`carries a signature that is not ${payer.toBase58()}'s over this message`);
  }
}

function deserialize(bytes: Uint8Array): VersionedTransaction {
  try {
    const transaction = VersionedTransaction.deserialize(bytes);
    if (transaction.signatures.length === 0) throw new RangeError('it has no signature');
    transaction.message.serialize();
    return transaction;
  } catch (cause) {
    throw new AppError('invalid_request', 'signedTransaction is not a Solana transaction', { cause });
  }
}
