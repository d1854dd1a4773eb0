import { sha256 } from '@noble/hashes/sha2.js';

/** 32 bytes. */
export type Hash = Uint8Array;

/** Hash prefixes (RFC 6962, section 2.1) that keep a leaf from passing as a node. */
const [LEAF, NODE] = [Uint8Array.of(0), Uint8Array.of(1)];

function leafHash(entry: Uint8Array): Hash {
  return sha256.create().update(LEAF).update(entry).digest();
}

function nodeHash(left: Hash, right: Hash): Hash {
  return sha256.create().update(NODE).update(left).update(right).digest();
}

/** A growing tree. It stores one hash per power of two in its size. */
export interface GrowingTree {
  add(entry: Uint8Array): void;
  /** Entries so far. */
  readonly size: number;
  root(): Hash;
}

/** RFC 6962, section 2.1. */
export function createTree(): GrowingTree {
  // Roots of complete subtrees, largest first: the powers of two that add up to the size.
  const whole: Hash[] = [];
  let size = 0;
  return {
    get size() {
      return size;
    },
    add(entry) {
      let hash = leafHash(entry);
      for (let rest = size; rest % 2 === 1; rest = (rest - 1) / 2) hash = nodeHash(whole.pop()!, hash);
      whole.push(hash);
      size += 1;
    },
    root: () => (size === 0 ? sha256(new Uint8Array()) : whole.reduceRight((right, left) => nodeHash(left, right))),
  };
}
