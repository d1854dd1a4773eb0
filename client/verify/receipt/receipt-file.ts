import { ed25519 } from '@noble/curves/ed25519.js';
import { isRecord } from '../../http/shape.ts';
import { canonicalJson } from '../../proof/canonical-json.ts';
import { DocumentError } from '../../proof/lines.ts';
import { addressBytes, fromBase64 } from '../../solana/bytes.ts';
import { addressIn, amountOf, type Fields, textIn, wholeIn } from '../head-fields.ts';

interface Subject {
  readonly environment: string;
  readonly genesisHash: string;
  readonly quoteId: string;
  readonly creator: string;
  readonly launchWallet: string;
  readonly paymentSignature: string;
}

/** The statement of a receipt. */
export type Receipt = Subject &
  (
    | {
        readonly kind: 'completed';
        readonly lamports: string;
        readonly mint: string;
        readonly slot: number;
        readonly signatures: readonly string[];
      }
    | { readonly kind: 'notCharged'; readonly blockhash: string; readonly lastValidBlockHeight: number }
    | { readonly kind: 'refunded'; readonly lamports: string; readonly refundSignature: string }
  );

/** A receipt of which nothing is verified yet. */
export interface ReceiptFile {
  readonly receipt: Receipt;
  /** Address that the receipt names as its signer. */
  readonly key: string;
  /** The bytes that the signature covers. */
  readonly signed: Uint8Array;
  readonly signature: Uint8Array;
}

const [TYPE, ALGORITHM] = ['slipway-receipt+jws', 'Ed25519'];

const VERSION = 1;

/**
 * Reads a compact JWS (RFC 7515).
 * @throws DocumentError if it is no receipt of this version, or not in its one form
 */
export function readReceipt(text: string): ReceiptFile {
  const [head, body, signature, ...more] = text.trim().split('.');
  if (!head || !body || !signature || more.length > 0) throw new DocumentError('it is no compact JWS');
  const { alg, kid, typ, ...others } = objectOf(head);
  if (alg !== ALGORITHM || typ !== TYPE || Object.keys(others).length > 0)
    throw new DocumentError(`its header is not that of a receipt: ${textOf(head)}`);
  const fields = objectOf(body);
  if (fields['v'] !== VERSION)
    throw new DocumentError(`it is of version ${JSON.stringify(fields['v'])}, not ${VERSION}`);
  const receipt = receiptOf(fields);
  mustBeCanonical(receipt, textOf(body));
  const signed = new TextEncoder().encode(`${head}.${body}`);
  return { receipt, key: addressIn({ kid }, 'kid'), signed, signature: bytesOf(signature) };
}

/** True if the key that the receipt names signed it (RFC 8032, strictly). */
export function isSignedByKey({ key, signed, signature }: ReceiptFile): boolean {
  return signature.length === 64 && ed25519.verify(signature, signed, addressBytes(key), { zip215: false });
}

function receiptOf(fields: Fields): Receipt {
  const subject = {
    environment: textIn(fields, 'environment'),
    genesisHash: textIn(fields, 'genesisHash'),
    quoteId: textIn(fields, 'quoteId'),
    creator: addressIn(fields, 'creator'),
    launchWallet: addressIn(fields, 'launchWallet'),
    paymentSignature: textIn(fields, 'paymentSignature'),
  };
  const kind = textIn(fields, 'kind');
  if (kind === 'notCharged') {
    const lastValidBlockHeight = wholeIn(fields, 'lastValidBlockHeight');
    return { ...subject, kind, blockhash: textIn(fields, 'blockhash'), lastValidBlockHeight };
  }
  const lamports = String(amountOf(fields['lamports'], 'lamports'));
  if (kind === 'refunded') return { ...subject, kind, lamports, refundSignature: textIn(fields, 'refundSignature') };
  if (kind !== 'completed') throw new DocumentError(`it is of the kind "${kind}", which this version does not know`);
  const { signatures } = fields;
  if (!Array.isArray(signatures) || !signatures.every((one) => typeof one === 'string'))
    throw new DocumentError('signatures is no list of text');
  return { ...subject, kind, lamports, mint: addressIn(fields, 'mint'), slot: wholeIn(fields, 'slot'), signatures };
}

/** Requires the one form of the text: two texts of one receipt would pass as two receipts. */
function mustBeCanonical(receipt: Receipt, text: string): void {
  if (canonicalJson({ v: VERSION, ...receipt }) !== text)
    throw new DocumentError('its text is not in its canonical form');
}

function objectOf(part: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(textOf(part));
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new DocumentError('a part of it is not JSON');
  }
  if (isRecord(value)) return value;
  throw new DocumentError('a part of it is no object');
}

function textOf(part: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytesOf(part));
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw new DocumentError('a part of it is not UTF-8');
  }
}

/** Base64url without padding (RFC 4648, section 5), in its one spelling. */
function bytesOf(part: string): Uint8Array {
  if (!/^[A-Za-z0-9_-]*$/.test(part) || part.length % 4 === 1) throw new DocumentError('a part of it is not base64url');
  return fromBase64(
    part
      .replaceAll('-', '+')
      .replaceAll('_', '/')
      .padEnd(Math.ceil(part.length / 4) * 4, '='),
  );
}
