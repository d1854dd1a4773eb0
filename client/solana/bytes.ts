import bs58 from 'bs58';

/** Throws unless base64 of the standard alphabet. */
export function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}

export function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

export function toBase58(bytes: Uint8Array): string {
  return bs58.encode(bytes);
}

/** Throws a RangeError unless base58 of 32 bytes. */
export function addressBytes(address: string): Uint8Array {
  const bytes = bs58.decodeUnsafe(address);
  if (bytes?.length === 32) return bytes;
  throw new RangeError(`"${address}" is not a base58 address of 32 bytes`);
}

/** True for base58 of 32 bytes. */
export function isAddress(text: string): boolean {
  return bs58.decodeUnsafe(text)?.length === 32;
}

export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}

/** Reads little-endian. Throws a RangeError past the end. */
export function readUint(bytes: Uint8Array, at: number, length: number): bigint {
  if (at + length > bytes.length) throw new RangeError(`${length} bytes at ${at} are not in ${bytes.length}`);
  return bytes.subarray(at, at + length).reduceRight((value, byte) => value * 256n + BigInt(byte), 0n);
}
