/** Submits take these additions to the issued transaction, as `chain/transactions/wallet-changes.ts` decides. */
export const WALLETS_MAY_ADD =
  'A wallet may change its compute budget and add a memo or assertions of the Lighthouse program; anything else that differs from the issued transaction is 400';
