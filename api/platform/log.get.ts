import type { Static } from 'typebox';
import * as sealedLogs from '../../db/proof/sealed-logs.ts';
import { nullable, record } from '../answers/fields.ts';
import { createReadCache, type ReadLife } from '../cache/read-cache.ts';
import type { ApiDeps } from '../deps.ts';
import type { ApiInstance } from '../instance.ts';
import { responses } from '../schemas/envelope.ts';
import { sealedLogAnswer, SealedLogSchema } from './sealed-log.schema.ts';

const LogSchema = record({ log: nullable(SealedLogSchema) });

const schema = {
  tags: ['Data'],
  operationId: 'getPlatformLog',
  summary: 'The newest log of receipts and wallets',
  description:
    'At most once an hour, where there is anything new, the platform seals on the chain which receipts it signed and which ' +
    'wallets it has. The document of the newest log that is sealed; null before the first. `slipway verify wallets` and ' +
    '`slipway verify receipt` check it.',
  response: responses(LogSchema),
};

const LIFE: ReadLife = { memorySeconds: 5, seconds: 10, staleSeconds: 20, entries: 1 };

/** `GET /platform/log` */
export function logGet(app: ApiInstance, { reads, config }: ApiDeps): void {
  const cache = createReadCache(LIFE, async () => {
    const newest = await sealedLogs.newestSealed(reads);
    const data: Static<typeof LogSchema> = { log: newest && sealedLogAnswer(config.siteUrl, newest) };
    return { data };
  });
  app.get('/platform/log', { schema }, async (request, reply) => cache.send(request, reply, {}));
}
