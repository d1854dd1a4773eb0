import Type, { type Static } from 'typebox';
import * as environments from '../../db/platform/environment.ts';
import * as walletManifest from '../../db/platform/wallet-manifest.ts';
import * as sealedLogs from '../../db/proof/sealed-logs.ts';
import { address, count, nullable, record, text } from '../answers/fields.ts';
import { toInteger } from '../answers/numbers.ts';
import { BASE_PATH } from '../base-path.ts';
import { createReadCache, type ReadLife } from '../cache/read-cache.ts';
import type { ApiDeps } from '../deps.ts';
import type { ApiInstance } from '../instance.ts';
import { responses } from '../schemas/envelope.ts';
import { sealedLogAnswer, SealedLogSchema } from './sealed-log.schema.ts';
import { RoleSchema } from './wallets.schema.ts';

const WellKnownSchema = record({
  environment: text('Name of the environment'),
  genesisHash: text('The chain'),
  api: text('Root of the API: `/platform/wallets` below it has every address with its history'),
  wallets: Type.Array(
    record({ role: RoleSchema, address: address('The address'), slot: count('Used from this slot') }),
    {
      description: 'The wallets that act for the platform now',
    },
  ),
  log: nullable(SealedLogSchema),
});

const schema = { hide: true, response: responses(WellKnownSchema) };

const LIFE: ReadLife = { memorySeconds: 5, seconds: 10, staleSeconds: 20, entries: 1 };

/** `GET {siteUrl}/.well-known/slipway.json`: who the platform is, and where that is sealed. */
export function wellKnownGet(app: ApiInstance, { reads, config: { siteUrl } }: ApiDeps): void {
  const cache = createReadCache(LIFE, async () => {
    const [claimed, wallets, log] = await Promise.all([
      environments.claimed(reads),
      walletManifest.ownNow(reads),
      sealedLogs.newestSealed(reads),
    ]);
    const data: Static<typeof WellKnownSchema> = {
      ...claimed,
      api: `${siteUrl}${BASE_PATH}`,
      wallets: wallets.map(({ role, address: own, slot }) => ({ role, address: own, slot: toInteger(slot) })),
      log: log && sealedLogAnswer(siteUrl, log),
    };
    return { data };
  });
  app.get('/.well-known/slipway.json', { schema }, async (request, reply) => cache.send(request, reply, {}));
}
