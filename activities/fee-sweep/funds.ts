/** Rent of the two token accounts that a token's first sweep may open, 2,157,600 at most each, in lamports. */
export const ACCOUNTS_LAMPORTS = 4_400_000n;
