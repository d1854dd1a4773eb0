import { derivedSeed } from './derived-seed.ts';
import { privateKeyOf, publicKeyOf, signatureBy } from './ed25519.ts';
import type { KeyContext, LaunchSeed } from './launch-keys.ts';

/** Signs webhooks for the platform. The key is no wallet and signs no transaction. */
export interface WebhookKeyPair {
  readonly seedId: string;
  /** `whpk_` and base64, by Standard Webhooks. */
  readonly publicKey: string;
  readonly sign: (bytes: Uint8Array) => Uint8Array;
}

/** Derives the key of each seed. A receiver keeps accepting while its key's seed is among the worker's. */
export function webhookKeys(seeds: readonly LaunchSeed[], context: KeyContext): readonly WebhookKeyPair[] {
  return seeds.map(({ id, secret }) => {
    const key = privateKeyOf(derivedSeed(secret, context, 'webhooks', id));
    return {
      seedId: id,
      publicKey: `whpk_${Buffer.from(publicKeyOf(key)).toString('base64')}`,
      sign: (bytes) => signatureBy(key, bytes),
    };
  });
}
