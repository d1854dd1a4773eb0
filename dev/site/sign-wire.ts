import { ed25519 } from '@noble/curves/ed25519.js';

const SIGNATURE_BYTES = 64;
const KEY_BYTES = 32;

/**
 * Legacy or versioned. Counts take one byte: 1,232 bytes hold fewer than 128 of anything.
 *
 * @throws RangeError for no signer
 * @see https://solana.com/docs/core/transactions
 */
export function signWire(wire: Uint8Array, seed: Uint8Array): Uint8Array {
  const places = wire[0] ?? 0;
  const start = 1 + places * SIGNATURE_BYTES;
  const message = wire.slice(start);
  const place = placeOf(message, ed25519.getPublicKey(seed));
  const signed = wire.slice();
  signed.set(ed25519.sign(message, seed), 1 + place * SIGNATURE_BYTES);
  return signed;
}

function placeOf(message: Uint8Array, key: Uint8Array): number {
  // A versioned message has the highest bit set.
  const header = (message[0] ?? 0) >= 0x80 ? 1 : 0;
  const signers = message[header] ?? 0;
  const keys = header + 4;
  const place = Array.from({ length: signers }, (_, index) => keys + index * KEY_BYTES).findIndex((at) =>
    key.every((byte, index) => message[at + index] === byte),
  );
  if (place < 0) throw new RangeError('the transaction does not ask for the signature of this wallet');
  return place;
}
