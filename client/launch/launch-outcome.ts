import type { LaunchQuote } from './terms.ts';

export type LaunchOutcome =
  /** The token is live. A fork can take it back until it is final, some 15 seconds later. */
  | { readonly status: 'completed'; readonly mint: string; readonly paymentSignature: string; readonly pool?: string }
  /**
   * By the platform's statement: launch again if you like. With the same store that waits until the payment can no
   * longer land.
   */
  | { readonly status: 'not_charged'; readonly reason: string; readonly paymentSignature: string }
  /** With the payment's network fee. */
  | {
      readonly status: 'refunded';
      readonly reason: string;
      readonly paymentSignature: string;
      readonly refundSignature: string;
    }
  /** Paid; an operator finishes or refunds it. Never pay again; poll now and then. */
  | { readonly status: 'needs_recovery'; readonly reason: string; readonly paymentSignature: string }
  /** It may land or have landed, and the time is over. Never pay again: the same call with the same store continues. */
  | { readonly status: 'unknown'; readonly reason: string; readonly paymentSignature: string }
  /** `approve` returned false: nothing was signed. */
  | { readonly status: 'declined'; readonly quote: LaunchQuote };
