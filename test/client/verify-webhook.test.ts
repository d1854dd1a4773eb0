import { expect, it } from 'vitest';
import { webhookKeys } from '../../chain/keys/webhook-key.ts';
import { verifyWebhook } from '../../client/events/verify-webhook.ts';
import { webhookHeaders } from '../../domain/events/webhook-signature.ts';

const seeds = [
  { id: 'new', secret: new Uint8Array(32).fill(2) },
  { id: 'old', secret: new Uint8Array(32).fill(1) },
];
const keys = webhookKeys(seeds, { genesisHash: 'genesis', environment: 'test' });
const [newest, old] = keys.map(({ publicKey }) => publicKey) as [string, string];
const [foreign] = webhookKeys(seeds, { genesisHash: 'another', environment: 'test' });
const now = new Date('2026-11-21T15:00:00Z');
const message = { id: 'WzEsIjciXQ', timestamp: now.getTime() / 1_000, body: '{"type":"burn"}' };
const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const headers = webhookHeaders(message, { secret, platform: keys.map(({ sign }) => sign) });
const received = { headers, body: message.body, publicKeys: [newest], now };

it('a delivery verifies with each public key of the platform, and gives the cursor of its event', () => {
  for (const publicKeys of [[newest], [old], [foreign!.publicKey, old]]) {
    expect(verifyWebhook({ ...received, publicKeys })).toBe(message.id);
  }
});

it('another key, body, id or time, an old delivery and a signature by the secret alone are refused', () => {
  const later = new Date(now.getTime() + 301_000);
  const changed = (name: string, value: string | undefined) => ({
    ...received,
    headers: { ...headers, [name]: value },
  });
  const refused = [
    [{ ...received, publicKeys: [foreign!.publicKey, 'whpk_', 'none'] }, 'no v1a signature'],
    [{ ...received, body: `${message.body} ` }, 'no v1a signature'],
    [changed('webhook-id', 'WzEsIjgiXQ'), 'no v1a signature'],
    [{ ...changed('webhook-timestamp', String(later.getTime() / 1_000)), now: later }, 'no v1a signature'],
    [changed('webhook-signature', headers['webhook-signature']!.split(' ')[0]), 'no v1a signature'],
    [changed('webhook-signature', 'v1a,AAAA'), 'no v1a signature'],
    [{ ...received, now: later }, 'more than 300 s'],
    [{ ...received, now: new Date(now.getTime() - 301_000) }, 'more than 300 s'],
    [changed('webhook-timestamp', 'NaN'), 'more than 300 s'],
    [changed('webhook-id', undefined), 'has no header webhook-id'],
  ] as const;
  for (const [delivery, reason] of refused) expect(() => verifyWebhook(delivery)).toThrow(reason);
});
