import { canonicalJson } from '../../client/proof/canonical-json.ts';

/** `completed`: charged, and the token exists; `notCharged`: the payment can never land; `refunded`: paid back. */
export const RECEIPT_KINDS = ['completed', 'notCharged', 'refunded'] as const;

export type ReceiptKind = (typeof RECEIPT_KINDS)[number];

/** The launch that a receipt is about. */
export interface ReceiptSubject {
  readonly environment: string;
  readonly genesisHash: string;
  readonly quoteId: string;
  readonly creator: string;
  /** Signs every payment of the quote and every other transaction of its launch. */
  readonly launchWallet: string;
  /** The creator's signature. */
  readonly paymentSignature: string;
}

/** The final end of a payment: facts that the chain shows, without a clock. */
export type ReceiptEnd =
  | {
      readonly kind: 'completed';
      readonly lamports: string;
      readonly mint: string;
      readonly slot: number;
      /** Payment, mint, pool, locks. */
      readonly signatures: readonly string[];
    }
  | { readonly kind: 'notCharged'; readonly blockhash: string; readonly lastValidBlockHeight: number }
  | { readonly kind: 'refunded'; readonly lamports: string; readonly refundSignature: string };

export type Receipt = ReceiptSubject & ReceiptEnd;

/** The text that is signed. One receipt has one text, so that signing it again gives the same bytes. */
export function receiptText(receipt: Receipt): string {
  return canonicalJson({ v: 1, ...receipt });
}
