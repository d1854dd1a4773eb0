import type { PublicKey } from '@solana/web3.js';

/** docs.jito.wtf, "What are bundles?". */
export const BUNDLE_MAX_TRANSACTIONS = 5;

/** `refused`: nothing was forwarded. `unknown`: may have been, and may land: treat as sent. */
export type SendOutcome = 'refused' | 'unknown';

/** `outcome` is this call's: after an unknown send the bundle may land even if a later send is refused. */
export class BundleSendError extends Error {
  readonly outcome: SendOutcome;

  constructor(outcome: SendOutcome, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'BundleSendError';
    this.outcome = outcome;
  }
}

/** Signatures and block height decide the outcome. */
export interface BundleHint {
  readonly bundleId: string;
  readonly stage: 'accepted' | 'processed' | 'finalized' | 'rejected' | 'dropped';
  /** Of the engine; empty unless rejected or dropped. */
  readonly detail: string;
}

export interface BundleRelay {
  /**
   * Sends byte for byte. A response means "accepted", not "landed".
   *
   * @throws BundleSendError
   */
  sendBundle(wires: readonly Uint8Array[]): Promise<{ readonly bundleId: string }>;
  /** @throws if the engine is unreachable or returns no list of addresses */
  tipAccounts(): Promise<PublicKey[]>;
  /** Calls `onHint` until the returned function is called or the relay closes. Reconnects; never throws. */
  watchHints(onHint: (hint: BundleHint) => void): () => void;
  /** Calls in progress fail. */
  close(): void;
}
