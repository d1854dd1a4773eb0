import bs58 from 'bs58';
import { derivedSeed } from './derived-seed.ts';
import { privateKeyOf, publicKeyOf, signatureBy } from './ed25519.ts';
import type { KeyContext, LaunchSeed } from './launch-keys.ts';

/** Signs receipts and holds nothing: it takes part in no transaction. */
export interface ReceiptKey {
  /** Public key, base58. */
  readonly address: string;
  /** A compact JWS (RFC 7515) with Ed25519 (RFC 9864). The same text gives the same bytes. */
  receiptFor(text: string): string;
}

const RECEIPT_TYPE = 'slipway-receipt+jws';

/** Derives the key. Another seed gives another key. */
export function deriveReceiptKey(seed: LaunchSeed, context: KeyContext): ReceiptKey {
  const key = privateKeyOf(derivedSeed(seed.secret, context, 'receipts', 'key'));
  const address = bs58.encode(publicKeyOf(key));
  const header = encoded(JSON.stringify({ alg: 'Ed25519', kid: address, typ: RECEIPT_TYPE }));
  return {
    address,
    receiptFor(text) {
      const input = `${header}.${encoded(text)}`;
      return `${input}.${encoded(signatureBy(key, Buffer.from(input, 'ascii')))}`;
    },
  };
}

function encoded(value: string | Uint8Array): string {
  return Buffer.from(value).toString('base64url');
}
