import type { LaunchQuote } from './check-payment.ts';

/** What became of a launch. */
export type LaunchOutcome =
  /** Paid once, and the token is live. A fork can take it back until it is final, some 15 seconds later. */
  | { readonly status: 'completed'; readonly mint: string; readonly paymentSignature: string; readonly pool?: string }
  /** Nothing was charged and nothing can be any more: launch again if you like. */
  | { readonly status: 'not_charged'; readonly reason: string; readonly paymentSignature: string }
  /** Paid, and given back with the payment's network fee. */
  | {
      readonly status: 'refunded';
      readonly reason: string;
      readonly paymentSignature: string;
      readonly refundSignature: string;
    }
  /** Paid; an operator finishes the launch or gives it back. Never pay again; ask now and then. */
  | { readonly status: 'needs_recovery'; readonly reason: string; readonly paymentSignature: string }
  /** Nothing was begun: launching is paused, or the quote cannot be launched any more. */
  | { readonly status: 'refused'; readonly reason: string; readonly paymentSignature: string }
  /** The payment may land or have landed, and patience is over. Never pay again: the same call with the same store goes on. */
  | { readonly status: 'unknown'; readonly reason: string; readonly paymentSignature: string }
  /** `approve` said no: nothing was signed. */
  | { readonly status: 'declined'; readonly quote: LaunchQuote };
