import { DocumentError } from '../../client/proof/lines.ts';
import {
  isSignedByKey,
  readReceipt,
  type Receipt,
  type ReceiptFile,
} from '../../client/verify/receipt/receipt-file.ts';

export type ShownReceipt =
  | { readonly problem: null; readonly kind: Receipt['kind']; readonly key: string }
  | { readonly problem: string };

/** Checks form and signature of a receipt, and that it is about this quote. */
export function readShownReceipt(text: string, quoteId: string): ShownReceipt {
  const file = readable(text);
  if (typeof file === 'string') return { problem: `What the platform shows is no receipt: ${file}.` };
  const { receipt, key } = file;
  if (!isSignedByKey(file)) return { problem: `The receipt is not signed by ${key}, the key that it names.` };
  if (receipt.quoteId !== quoteId) return { problem: `The receipt is of another quote: ${receipt.quoteId}.` };
  return { problem: null, kind: receipt.kind, key };
}

function readable(text: string): ReceiptFile | string {
  try {
    return readReceipt(text);
  } catch (error) {
    if (error instanceof DocumentError) return error.message;
    throw error;
  }
}
