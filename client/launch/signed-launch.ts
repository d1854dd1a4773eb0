import { keptKind } from '../progress/kept.ts';
import type { LaunchWish } from './terms.ts';

/** A signed payment with all that continues it. It cannot land without the platform's signature. */
export interface SignedLaunch {
  readonly wish: LaunchWish;
  readonly quoteId: string;
  /** If the launch happens. */
  readonly mint: string;
  /** The creator's, base58: the key of the status endpoint. */
  readonly paymentSignature: string;
  readonly signedQuote: string;
  /** base64 */
  readonly signedTransaction: string;
  /** Of the quote, by this machine's clock, ms: the blockhash is no newer. */
  readonly issuedAt?: number;
  /** Reported as not charged, and the caller knows. Only the platform's statement until it can no longer land. */
  readonly isTold?: boolean;
}

const TEXTS = { quoteId: 'string', mint: 'string', paymentSignature: 'string' } as const;
const WISH = {
  creatorWallet: 'string',
  quoteMint: 'string',
  name: 'string',
  symbol: 'string',
  logo: 'string',
} as const;

export const SIGNED_LAUNCH = keptKind<SignedLaunch>('signed launch', {
  fields: {
    ...TEXTS,
    signedQuote: 'string',
    signedTransaction: 'string',
    wish: { fields: WISH, optional: {} },
  },
  optional: { issuedAt: 'number', isTold: 'boolean' },
});

export function isSameWish(a: LaunchWish, b: LaunchWish): boolean {
  return textOf(a) === textOf(b);
}

function textOf(wish: LaunchWish): string {
  const given = Object.entries(wish).filter(([, value]) => value !== undefined);
  return JSON.stringify(given.sort(([a], [b]) => (a < b ? -1 : 1)));
}
