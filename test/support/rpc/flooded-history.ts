/** An answer of `getSignaturesForAddress` as long as one can be: entries of a stranger's, newer than anything. */
export const FLOODED_HISTORY: readonly object[] = Array.from({ length: 1_000 }, () => ({
  signature: '1'.repeat(64),
  slot: Number.MAX_SAFE_INTEGER,
  err: null,
  memo: null,
  blockTime: null,
}));
