import type { Shape } from '../http/shape.ts';
import { keptKind } from '../progress/kept.ts';
import type { ClaimQuote } from './claim-context.ts';

export interface SignedClaim {
  readonly mint: string;
  readonly wallet: string;
  readonly intentId: string;
  readonly amounts: ClaimQuote['amounts'];
  /** base64 */
  readonly signedTransaction: string;
}

const AMOUNT: Shape = {
  fields: { mint: 'string', symbol: 'string', decimals: 'number', amountRaw: 'string', amountTokens: 'number' },
  optional: {},
};

export const SIGNED_CLAIM = keptKind<SignedClaim>('signed claim', {
  fields: {
    mint: 'string',
    wallet: 'string',
    intentId: 'string',
    signedTransaction: 'string',
    amounts: { fields: { base: AMOUNT, quote: AMOUNT }, optional: {} },
  },
  optional: {},
});
