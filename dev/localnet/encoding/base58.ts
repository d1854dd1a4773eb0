import bs58 from 'bs58';

/** Base58 text of some bytes. */
export function toBase58(bytes: Uint8Array): string {
  return bs58.encode(bytes);
}

/** Bytes of a base58 text. @throws Error naming the text when it is not base58. */
export function fromBase58(text: string): Uint8Array {
  const bytes = bs58.decodeUnsafe(text);
  if (!bytes) throw new Error(`not base58: ${text.slice(0, 100)}`);
  return bytes;
}
