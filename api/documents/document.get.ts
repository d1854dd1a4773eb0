import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import Type from 'typebox';
import * as documents from '../../db/proof/documents.ts';
import { AppError } from '../../domain/errors.ts';
import { type Asker, createPlaces, type Places } from '../../domain/places.ts';
import { askerOf } from '../asker.ts';
import type { ApiDeps } from '../deps.ts';
import type { ApiInstance } from '../instance.ts';
import { FILE_HEADERS } from '../plugins/headers.ts';

const ROOT = /^[0-9a-f]{64}$/;

const ParamsSchema = Type.Object({ root: Type.String() }, { additionalProperties: false });

const schema = { hide: true, params: ParamsSchema };

/** A document never changes; its name follows from its text. */
const CACHE_CONTROL = 'public, max-age=31536000, immutable';

/** Parts that are read and unpacked at once, of all documents. */
export const PARTS_AT_ONCE = 2;

const gunzipped = promisify(gunzip);

/** `GET {siteUrl}/documents/{root}`: sealed on the chain, byte for byte. */
export function documentGet(app: ApiInstance, { db }: ApiDeps): void {
  const places = createPlaces({ inAll: PARTS_AT_ONCE });
  app.get('/documents/:root', { schema, config: { isDocument: true } }, async (request, reply) => {
    const { root } = request.params;
    const document = ROOT.test(root) ? await documents.byRoot(db, root) : null;
    if (!document) throw new AppError('not_found', `there is no document with the root ${root.slice(0, 100)}`);
    const etag = `"${root}"`;
    void reply.headers({ ...FILE_HEADERS, 'cache-control': CACHE_CONTROL, etag });
    if (request.headers['if-none-match'] === etag) return reply.code(304).send();
    const text = Readable.from(textOf(documents.parts(db, root), places, askerOf(request, reply)), {
      objectMode: false,
    });
    return reply.type('text/plain; charset=utf-8').header('content-length', String(document.byteCount)).send(text);
  });
}

/** A document can be large, a reader slow. Clients take turns with each part. */
async function* textOf(parts: AsyncGenerator<Buffer>, places: Places, asker: Asker): AsyncGenerator<Buffer> {
  const nextPart = async () => {
    const part = await parts.next();
    return part.done === true ? null : gunzipped(part.value);
  };
  for (;;) {
    const text = await places.take(asker, nextPart);
    if (text === null) return;
    yield text;
  }
}
