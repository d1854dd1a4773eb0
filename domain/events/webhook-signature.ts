import { createHmac } from 'node:crypto';

/** A message that a receiver verifies, by Standard Webhooks. */
export interface WebhookMessage {
  /** The event's cursor: the same at each try, so that a receiver drops repeats. */
  readonly id: string;
  /** Unix seconds of this try. */
  readonly timestamp: number;
  /** JSON, byte for byte. */
  readonly body: string;
}

export interface WebhookSigners {
  /** The endpoint's own, `whsec_` and base64 of 24 to 64 bytes. */
  readonly secret: string;
  /** Ed25519 signatures by the platform's keys, newest first. */
  readonly platform: readonly ((bytes: Uint8Array) => Uint8Array)[];
}

/** @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
export function webhookHeaders(message: WebhookMessage, { secret, platform }: WebhookSigners): Record<string, string> {
  const signed = Buffer.from(`${message.id}.${message.timestamp}.${message.body}`);
  const symmetric = createHmac('sha256', secretBytes(secret)).update(signed).digest('base64');
  const asymmetric = platform.map((sign) => `v1a,${Buffer.from(sign(signed)).toString('base64')}`);
  return {
    'webhook-id': message.id,
    'webhook-timestamp': String(message.timestamp),
    'webhook-signature': [`v1,${symmetric}`, ...asymmetric].join(' '),
  };
}

const SECRET = /^whsec_([A-Za-z0-9+/]+={0,2})$/;

/** @throws RangeError without the secret in its text */
export function secretBytes(secret: string): Buffer {
  const bytes = Buffer.from(SECRET.exec(secret)?.[1] ?? '', 'base64');
  if (bytes.length >= 24 && bytes.length <= 64) return bytes;
  throw new RangeError('a webhook secret is whsec_ and base64 of 24 to 64 bytes');
}
