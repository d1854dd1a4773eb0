/** A blockhash with what is needed to prove later that transactions with it are dead. */
export interface RecentBlockhash {
  readonly blockhash: string;
  /** Last block height at which a transaction with it can land. */
  readonly lastValidBlockHeight: number;
  /** Slot it was read at; no transaction with it landed before. */
  readonly slot: number;
}
