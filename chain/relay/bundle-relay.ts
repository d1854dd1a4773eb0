import type { PublicKey } from '@solana/web3.js';

/** The most transactions a block engine takes in one bundle (docs.jito.wtf, "What are bundles?"). */
export const BUNDLE_MAX_TRANSACTIONS = 5;

/**
 * What a failed send proves. `refused`: this call forwarded nothing. `unknown`: the bundle may have been forwarded and may
 * still land, so it must be treated as sent.
 */
export type SendOutcome = 'refused' | 'unknown';

/**
 * A send that did not end with a bundle id. `outcome` speaks of this one call alone: a bundle whose earlier send was
 * unknown stays possibly sent even when a later send is refused.
 */
export class BundleSendError extends Error {
  readonly outcome: SendOutcome;

  constructor(outcome: SendOutcome, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'BundleSendError';
    this.outcome = outcome;
  }
}

/** What the block engine says of a bundle. A hint only: the outcome is what the signatures and the block height say. */
export interface BundleHint {
  readonly bundleId: string;
  readonly stage: 'accepted' | 'processed' | 'finalized' | 'rejected' | 'dropped';
  /** Reason of a rejection or a drop, as the block engine words it; empty otherwise. */
  readonly detail: string;
}

/** The port through which bundles reach the leaders. */
export interface BundleRelay {
  /**
   * Sends signed transactions as one bundle, byte for byte. An answer means "taken", not "landed".
   * @throws BundleSendError, whose `outcome` says whether the bundle may have been forwarded.
   */
  sendBundle(wires: readonly Uint8Array[]): Promise<{ readonly bundleId: string }>;
  /**
   * Accounts that a tip may be paid to.
   * @throws an Error when the block engine is unreachable or answers anything but a list of addresses.
   */
  tipAccounts(): Promise<PublicKey[]>;
  /** Reports hints until the returned function is called or the relay is closed; reconnects by itself, never throws. */
  watchHints(onHint: (hint: BundleHint) => void): () => void;
  /** Ends every connection; calls under way fail. */
  close(): void;
}
