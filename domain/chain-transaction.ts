/**
 * Life of one signed transaction that moves money. One union, shared by activities, database and API.
 *
 * `signed` persisted, never sent · `broadcasting` may have been sent · `landed` seen in a block without an error ·
 * `failed` seen in a block with an error (may still succeed on another fork until that error is finalized) ·
 * `finalized` took effect for ever · `dead` proven unable to land · `abandoned` given up before it was ever sent.
 */
export const CHAIN_TRANSACTION_STATUSES = [
  'signed',
  'broadcasting',
  'landed',
  'failed',
  'finalized',
  'dead',
  'abandoned',
] as const;

export type ChainTransactionStatus = (typeof CHAIN_TRANSACTION_STATUSES)[number];
