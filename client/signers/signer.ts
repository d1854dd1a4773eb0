/** Signs a transaction for one wallet. */
export interface Signer {
  /** The wallet, base58. */
  readonly address: string;
  /**
   * Signs a transaction in wire format, in which the places of all signatures are zeros, and answers it with the wallet's. Places of
   * others may stay zeros or be left out. It must sign the message that it is given; a wallet may append read-only assertions of
   * Lighthouse to a payment.
   */
  sign(transaction: Uint8Array): Promise<Uint8Array>;
}
