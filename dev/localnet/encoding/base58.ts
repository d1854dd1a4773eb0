import bs58 from 'bs58';

export function toBase58(bytes: Uint8Array): string {
  return bs58.encode(bytes);
}

/** @throws an error that names the text */
export function fromBase58(text: string): Uint8Array {
  const bytes = bs58.decodeUnsafe(text);
  if (!bytes) throw new Error(`not base58: ${text.slice(0, 100)}`);
  return bytes;
}
