import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createTree } from '../../client/proof/merkle-tree.ts';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const entry = (text: string) => Uint8Array.from(Buffer.from(text, 'hex'));

// Entries and roots of the reference implementation of RFC 6962 (certificate-transparency, merkletree tests).
const ENTRIES = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'];
const ROOTS = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];

/** The Merkle tree hash as section 2.1 of RFC 6962 defines it, in its own words. */
function definedRoot(entries: readonly Uint8Array[]): Buffer {
  const sha = (...parts: Uint8Array[]) => {
    const hash = createHash('sha256');
    for (const part of parts) hash.update(part);
    return hash.digest();
  };
  const [first] = entries;
  if (first === undefined) return sha();
  if (entries.length === 1) return sha(Uint8Array.of(0), first);
  const split = 2 ** Math.floor(Math.log2(entries.length - 1));
  return sha(Uint8Array.of(1), definedRoot(entries.slice(0, split)), definedRoot(entries.slice(split)));
}

function treeOf(entries: readonly Uint8Array[]) {
  const tree = createTree();
  for (const one of entries) tree.add(one);
  return tree;
}

const numbered = (size: number) => Array.from({ length: size }, (_, index) => Buffer.from(`entry ${index}`));

describe('a Merkle tree of RFC 6962', () => {
  it('has the roots of the reference implementation', () => {
    const roots = ROOTS.map((_, size) => hex(treeOf(ENTRIES.slice(0, size).map(entry)).root()));
    expect(roots).toEqual(ROOTS);
  });

  it('has the root that the RFC defines, at every size to 70, also while it grows', () => {
    const tree = createTree();
    for (const [index, one] of numbered(70).entries()) {
      tree.add(one);
      expect([tree.size, hex(tree.root())]).toEqual([index + 1, hex(definedRoot(numbered(index + 1)))]);
    }
  });

  it('takes no node for a leaf', () => {
    const node = Buffer.concat(numbered(2).map((one) => treeOf([one]).root()));
    expect(hex(treeOf([node]).root())).not.toBe(hex(treeOf(numbered(2)).root()));
  });
});
