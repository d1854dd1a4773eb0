import { webhookKeys } from '../../chain/keys/webhook-key.ts';
import * as noted from '../../db/events/webhook-keys.ts';
import type { Shared } from '../shared.ts';

/** Notes the public keys of webhook signatures, which `ops webhooks` prints for receivers. */
export async function noteWebhookKeys({ db, seeds, context }: Pick<Shared, 'db' | 'seeds' | 'context'>): Promise<void> {
  await noted.note(
    db,
    webhookKeys(seeds, context).map(({ seedId, publicKey }) => ({ seedId, publicKey })),
  );
}
