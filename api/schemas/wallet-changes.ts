/** What submits take beside the issued transaction; `chain/transactions/wallet-changes.ts` decides it. */
export const WALLETS_MAY_ADD =
  'A wallet may change its compute budget and add a memo or assertions of the Lighthouse program; anything else that differs from the issued transaction is 400';
