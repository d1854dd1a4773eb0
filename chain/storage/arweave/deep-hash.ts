import { createHash } from 'node:crypto';

/** What is hashed: bytes, or a list of such. */
export type DeepHashInput = Uint8Array | readonly DeepHashInput[];

/**
 * Arweave's deep hash, SHA-384 over a nested list in which every level carries its kind and length, so that no two different
 * structures have the same hash. Source: ANS-104 section 1.3 and the Arweave transaction format 2.
 */
export function deepHash(input: DeepHashInput): Uint8Array {
  if (input instanceof Uint8Array) return sha384(sha384(tag('blob', input.length)), sha384(input));
  const start = sha384(tag('list', input.length));
  return input.reduce<Uint8Array>((hash, item) => sha384(hash, deepHash(item)), start);
}

function tag(kind: 'blob' | 'list', length: number): Uint8Array {
  return Buffer.from(`${kind}${length}`);
}

function sha384(...parts: readonly Uint8Array[]): Uint8Array {
  const hash = createHash('sha384');
  for (const part of parts) hash.update(part);
  return hash.digest();
}
