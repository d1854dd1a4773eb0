import Type from 'typebox';
import { readStored } from '../../chain/storage/file-store.ts';
import { AppError } from '../../domain/errors.ts';
import type { ApiDeps } from '../deps.ts';
import type { ApiInstance } from '../instance.ts';
import { FILE_HEADERS } from '../plugins/headers.ts';

const ParamsSchema = Type.Object({ name: Type.String() }, { additionalProperties: false });

const schema = { hide: true, params: ParamsSchema };

/** A stored file never changes; its name is the hash of its bytes. */
const CACHE_CONTROL = 'public, max-age=31536000, immutable';

/**
 * `GET {siteUrl}/store/{sha256}.{ending}`. Not rate limited: pages show many at once, wallets fetch them. Absent with
 * another store.
 */
export function storedFileGet(app: ApiInstance, { config: { storage } }: ApiDeps): void {
  if (storage.kind !== 'files') return;
  app.get('/store/:name', { schema, config: { rateGroup: 'none' } }, async (request, reply) => {
    const { name } = request.params;
    const file = await readStored(storage.directory, name);
    if (!file) throw new AppError('not_found', `there is no stored file ${name.slice(0, 100)}`);
    const etag = `"${name}"`;
    void reply.headers({ ...FILE_HEADERS, 'cache-control': CACHE_CONTROL, etag });
    if (request.headers['if-none-match'] === etag) return reply.code(304).send();
    return reply.type(file.type).send(Buffer.from(file.bytes));
  });
}
