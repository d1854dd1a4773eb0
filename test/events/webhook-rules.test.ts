import { createPublicKey, verify } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
import { webhookKeys } from '../../chain/keys/webhook-key.ts';
import { pauseSeconds, retryAfterSeconds } from '../../domain/events/webhook-schedule.ts';
import { secretBytes, webhookHeaders, type WebhookMessage } from '../../domain/events/webhook-signature.ts';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const OTHER_SECRET = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
const seeds = [
  { id: 'new', secret: new Uint8Array(32).fill(2) },
  { id: 'old', secret: new Uint8Array(32).fill(1) },
];
const keys = webhookKeys(seeds, { genesisHash: 'genesis', environment: 'test' });
const platform = keys.map(({ sign }) => sign);
const receiver = new Webhook(SECRET);

const nowSeconds = () => Math.floor(Date.now() / 1_000);
const messageAt = (timestamp: number): WebhookMessage => ({ id: 'WzEsIjciXQ', timestamp, body: '{"type":"burn"}' });
const headersOf = (message: WebhookMessage, secret = SECRET) => webhookHeaders(message, { secret, platform });

it('the official receiver accepts a delivery, and refuses a wrong secret, an old timestamp, another id and another body', () => {
  const message = messageAt(nowSeconds());
  const headers = headersOf(message);
  expect(receiver.verify(message.body, headers)).toEqual({ type: 'burn' });
  const old = messageAt(nowSeconds() - 600);
  const refused = [
    () => receiver.verify(message.body, headersOf(message, OTHER_SECRET)),
    () => receiver.verify(old.body, headersOf(old)),
    // A replay of the old delivery under a new time or id.
    () => receiver.verify(old.body, { ...headersOf(old), 'webhook-timestamp': String(nowSeconds()) }),
    () => receiver.verify(message.body, { ...headers, 'webhook-id': 'WzEsIjgiXQ' }),
    () => receiver.verify(`${message.body} `, headers),
  ];
  for (const attempt of refused) expect(attempt).toThrow(/signature|timestamp/i);
});

it('each v1a signature verifies with the public key that operators hand out, one for each seed', () => {
  const message = messageAt(nowSeconds());
  const signed = Buffer.from(`${message.id}.${message.timestamp}.${message.body}`);
  const [v1, ...v1a] = headersOf(message)['webhook-signature']!.split(' ');
  expect(v1).toMatch(/^v1,/);
  expect(v1a).toHaveLength(2);
  for (const [n, { publicKey }] of keys.entries()) {
    const raw = Buffer.from(publicKey.replace(/^whpk_/, ''), 'base64');
    const spki = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), raw]);
    const key = createPublicKey({ key: spki, format: 'der', type: 'spki' });
    expect(verify(null, signed, key, Buffer.from(v1a[n]!.slice('v1a,'.length), 'base64'))).toBe(true);
  }
});

it('a secret that is none is refused without being repeated', () => {
  for (const secret of ['', 'whsec_', 'whsec_c2hvcnQ=', SECRET.replace('whsec_', ''), 'whsec_not base64']) {
    expect(() => secretBytes(secret)).toThrow('a webhook secret is whsec_ and base64 of 24 to 64 bytes');
  }
});

it('pauses grow from 5 s to a day, a Retry-After only lengthens them, and after ten failures there is no next try', () => {
  const pauses = Array.from({ length: 11 }, (_, n) => pauseSeconds(n + 1));
  expect(pauses).toEqual([5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400, null, null]);
  expect([pauseSeconds(1, 2), pauseSeconds(1, 60), pauseSeconds(1, 10 ** 8)]).toEqual([5, 60, 86_400]);
  expect(pauseSeconds(10, 60)).toBe(null);
  const now = new Date('2026-11-21T15:00:00Z');
  const headers = ['120', 'Sat, 21 Nov 2026 15:01:00 GMT', 'Sat, 21 Nov 2026 14:00:00 GMT', 'soon', '-1', undefined];
  expect(headers.map((header) => retryAfterSeconds(header, now))).toEqual([120, 60, 0, 0, 0, 0]);
});
