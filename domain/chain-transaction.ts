/**
 * `signed`: persisted, never sent. `broadcasting`: may have been sent. `landed`: in a block without an error. `failed`:
 * with an error; may succeed on another fork until that is finalized. `finalized`: took effect. `dead`: proven unable
 * to land. `abandoned`: given up before it was sent.
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
