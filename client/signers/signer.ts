export interface Signer {
  /** base58. */
  readonly address: string;
  /**
   * Adds the wallet's signature to a transaction in wire format with zeroed signature places. It must sign the given
   * message; a wallet may add read-only Lighthouse assertions or its own memo, and raise the compute limit and price.
   */
  sign(transaction: Uint8Array): Promise<Uint8Array>;
  /** The same of several transactions by one request of the wallet, in their order. Default: one by one. */
  signAll?(transactions: readonly Uint8Array[]): Promise<readonly Uint8Array[]>;
}
