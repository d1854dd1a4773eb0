import { createHash } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { deepHash } from './deep-hash.ts';
import { encodeTags, type Tag } from './tags.ts';

/** ANS-104 type 2: 64-byte Ed25519 signature over the deep hash, 32-byte key. */
const ED25519_TYPE = 2;

export interface DataItem {
  /** base64url(sha256(signature)). */
  readonly id: string;
  readonly wire: Uint8Array;
}

/** Signs by ANS-104 section 1.1 without target and anchor. Deterministic (RFC 8032). */
export function signDataItem(data: Uint8Array, tags: readonly Tag[], secretKey: Uint8Array): DataItem {
  const owner = ed25519.getPublicKey(secretKey);
  const encodedTags = encodeTags(tags);
  const signature = ed25519.sign(messageOf(owner, encodedTags, data), secretKey);
  const wire = Buffer.concat([
    littleEndian(ED25519_TYPE, 2),
    signature,
    owner,
    Uint8Array.of(0, 0), // no target, no anchor
    littleEndian(tags.length, 8),
    littleEndian(encodedTags.length, 8),
    encodedTags,
    data,
  ]);
  return { id: createHash('sha256').update(signature).digest('base64url'), wire };
}

function messageOf(owner: Uint8Array, encodedTags: Uint8Array, data: Uint8Array): Uint8Array {
  const none = new Uint8Array();
  return deepHash([
    Buffer.from('dataitem'),
    Buffer.from('1'),
    Buffer.from(String(ED25519_TYPE)),
    owner,
    none,
    none,
    encodedTags,
    data,
  ]);
}

function littleEndian(value: number, bytes: 2 | 8): Uint8Array {
  const buffer = Buffer.alloc(bytes);
  if (bytes === 2) buffer.writeUInt16LE(value);
  else buffer.writeBigUInt64LE(BigInt(value));
  return buffer;
}
