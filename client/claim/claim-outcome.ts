import type { ClaimQuote } from './claim-ground.ts';

/** What became of a claim. */
export type ClaimOutcome =
  /** Paid and confirmed; `amounts` is what was announced. */
  | { readonly status: 'paid'; readonly signature: string; readonly amounts: ClaimQuote['amounts'] }
  /** Nothing has been earned since the last claim, or this coin pays its holders instead. */
  | { readonly status: 'nothing_to_claim'; readonly reason: string }
  /** It was not paid and never will be: claim again. */
  | { readonly status: 'not_paid'; readonly reason: string }
  /** The wallet may not claim, or claiming is paused. Nothing was sent. */
  | { readonly status: 'refused'; readonly reason: string }
  /** It may land or have landed, and patience is over: the same call with the same store goes on. */
  | { readonly status: 'unknown'; readonly reason: string; readonly intentId: string }
  /** `approve` said no: nothing was signed. */
  | { readonly status: 'declined'; readonly quote: ClaimQuote };
