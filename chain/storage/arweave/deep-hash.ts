import { createHash } from 'node:crypto';

export type DeepHashInput = Uint8Array | readonly DeepHashInput[];

/**
 * SHA-384 over a nested list, each level with kind and length: structures never share a hash (ANS-104 section 1.3,
 * Arweave transaction format 2).
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
