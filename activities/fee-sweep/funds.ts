/** Rent of the two token accounts that a first sweep may open. */
export const ACCOUNTS_LAMPORTS = 4_400_000n;
