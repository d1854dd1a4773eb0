import { keptKind } from '../progress/kept.ts';
import type { LaunchWish } from './check-payment.ts';

/** A launch that its creator signed: all that is needed to go on with it. Without the platform's signature it cannot land by itself. */
export interface SignedLaunch {
  readonly wish: LaunchWish;
  readonly quoteId: string;
  /** The token's address if it happens. */
  readonly mint: string;
  /** The creator's signature, base58: the launch's key in the status endpoint. */
  readonly paymentSignature: string;
  readonly signedQuote: string;
  /** base64 */
  readonly signedTransaction: string;
}

const TEXTS = { quoteId: 'string', mint: 'string', paymentSignature: 'string' } as const;
const WISH = {
  creatorWallet: 'string',
  quoteMint: 'string',
  name: 'string',
  symbol: 'string',
  logo: 'string',
} as const;

/** How a store keeps it. */
export const SIGNED_LAUNCH = keptKind<SignedLaunch>('signed launch', {
  fields: {
    ...TEXTS,
    signedQuote: 'string',
    signedTransaction: 'string',
    wish: { fields: WISH, optional: {} },
  },
  optional: {},
});

/** Whether two wishes are for the same launch. */
export function isSameWish(a: LaunchWish, b: LaunchWish): boolean {
  return textOf(a) === textOf(b);
}

function textOf(wish: LaunchWish): string {
  const given = Object.entries(wish).filter(([, value]) => value !== undefined);
  return JSON.stringify(given.sort(([a], [b]) => (a < b ? -1 : 1)));
}
