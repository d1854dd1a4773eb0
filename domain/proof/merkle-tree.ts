import { sha256 } from '@noble/hashes/sha2.js';

/** 32 bytes. */
export type Hash = Uint8Array;

/** Hash prefixes (RFC 6962, section 2.1) that keep a leaf from passing as a node. */
const [LEAF, NODE] = [Uint8Array.of(0), Uint8Array.of(1)];

export function leafHash(entry: Uint8Array): Hash {
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

/**
 * Proof that an entry is in a tree, starting with the leaf's sibling (RFC 6962, section 2.1.1).
 * @throws RangeError when there is no such leaf
 */
export function inclusionProof(leaves: readonly Hash[], index: number): Hash[] {
  if (!(Number.isInteger(index) && index >= 0 && index < leaves.length))
    throw new RangeError(`a tree of ${leaves.length} leaves has none at ${index}`);
  return pathOf(leaves, index);
}

function pathOf(leaves: readonly Hash[], index: number): Hash[] {
  if (leaves.length === 1) return [];
  const split = splitOf(leaves.length);
  const [left, right] = [leaves.slice(0, split), leaves.slice(split)];
  return index < split ? [...pathOf(left, index), rootOf(right)] : [...pathOf(right, index - split), rootOf(left)];
}

function rootOf(leaves: readonly Hash[]): Hash {
  const [first] = leaves;
  if (leaves.length === 1 && first) return first;
  const split = splitOf(leaves.length);
  return nodeHash(rootOf(leaves.slice(0, split)), rootOf(leaves.slice(split)));
}

/** The largest power of two below a size of at least two. */
function splitOf(size: number): number {
  let power = 1;
  while (power * 2 < size) power *= 2;
  return power;
}

export interface Inclusion {
  /** From 0. */
  readonly index: number;
  /** Number of leaves. */
  readonly size: number;
  readonly proof: readonly Hash[];
}

/** Verifies an inclusion proof (RFC 9162, section 2.1.3.2). */
export function isIncluded(leaf: Hash, { index, size, proof }: Inclusion, root: Hash): boolean {
  if (!(Number.isSafeInteger(index) && Number.isSafeInteger(size) && index >= 0 && index < size)) return false;
  let [at, last, hash] = [index, size - 1, leaf];
  for (const beside of proof) {
    if (last === 0) return false;
    const isRight = at % 2 === 1 || at === last;
    hash = isRight ? nodeHash(beside, hash) : nodeHash(hash, beside);
    // A leaf at the right edge skips levels without a sibling.
    while (isRight && at % 2 === 0 && at !== 0) [at, last] = [at / 2, Math.floor(last / 2)];
    [at, last] = [Math.floor(at / 2), Math.floor(last / 2)];
  }
  return last === 0 && hash.length === root.length && hash.every((byte, place) => byte === root[place]);
}
