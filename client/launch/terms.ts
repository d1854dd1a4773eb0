import type { Answer, Request } from '../http/api.ts';

/** Body of `POST /launches/prepare`. */
export type LaunchWish = Request<'POST /launches/prepare'>['body'];

/** The price, and the payment to sign. */
export type LaunchQuote = Answer<'POST /launches/prepare'>;

export interface LaunchLimits {
  /** Launch, dev buy and airdrop. */
  readonly maxLamports: bigint;
  /** On top; default 200,000. */
  readonly maxNetworkFeeLamports?: bigint;
}
