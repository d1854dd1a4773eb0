import { ed25519 } from '@noble/curves/ed25519.js';

/** A request as it was received. */
export interface ReceivedWebhook {
  /** With lower-case names, as most servers give them. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The body, byte for byte. */
  readonly body: string;
  /** Of the platform, `whpk_` and base64: any of them may have signed. */
  readonly publicKeys: readonly string[];
  /** Default: now. */
  readonly now?: Date;
}

/** Seconds that a message may be old, or ahead of this machine's clock. */
const TOLERANCE_SECONDS = 300;

/**
 * Checks the platform's `v1a` signature of a webhook (Standard Webhooks), and returns the event's cursor. Drop cursors
 * that you have handled: each event comes at least once. Throws an Error that says what does not fit.
 */
export function verifyWebhook({ headers, body, publicKeys, now = new Date() }: ReceivedWebhook): string {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => {
    const value = headers[name];
    if (value === undefined || value === '') throw new Error(`the webhook has no header ${name}`);
    return value;
  }) as [string, string, string];
  const age = now.getTime() / 1_000 - Number(timestamp);
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(age) > TOLERANCE_SECONDS) {
    throw new Error(`the webhook's timestamp ${timestamp} is more than ${TOLERANCE_SECONDS} s from now`);
  }
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  const keys = publicKeys.map((key) => bytesOf(key.replace(/^whpk_/, '')));
  const isSigned = signatures
    .split(' ')
    .filter((signature) => signature.startsWith('v1a,'))
    .some((signature) => keys.some((key) => fits(bytesOf(signature.slice('v1a,'.length)), signed, key)));
  if (!isSigned) throw new Error('no v1a signature of the webhook is by one of these public keys');
  return id;
}

function fits(signature: Uint8Array, message: Uint8Array, key: Uint8Array): boolean {
  return signature.length === 64 && key.length === 32 && ed25519.verify(signature, message, key);
}

/** Decodes base64; nothing for text that is none. */
function bytesOf(base64: string): Uint8Array {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64) || base64.length % 4 !== 0) return new Uint8Array();
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}
