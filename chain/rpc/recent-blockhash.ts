/** A blockhash and the facts that later prove its transactions dead. */
export interface RecentBlockhash {
  readonly blockhash: string;
  readonly lastValidBlockHeight: number;
  /** Slot of the read; no transaction with it landed earlier. */
  readonly slot: number;
}
