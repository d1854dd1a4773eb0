import type { ClaimQuote } from './claim-context.ts';

export type ClaimOutcome =
  /** Confirmed; `amounts` as announced. */
  | { readonly status: 'paid'; readonly signature: string; readonly amounts: ClaimQuote['amounts'] }
  /** Nothing was earned since, or this coin pays its holders. */
  | { readonly status: 'nothing_to_claim'; readonly reason: string }
  /** And never will be: claim again. */
  | { readonly status: 'not_paid'; readonly reason: string }
  /** The wallet may not claim, or claiming is paused. Nothing was sent. */
  | { readonly status: 'refused'; readonly reason: string }
  /** It may land or have landed, and the time is over: the same call with the same store continues. */
  | { readonly status: 'unknown'; readonly reason: string; readonly intentId: string }
  /** `approve` returned false: nothing was signed. */
  | { readonly status: 'declined'; readonly quote: ClaimQuote };
