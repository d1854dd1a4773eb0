import type { FastifyReply } from 'fastify';
import Type from 'typebox';
import { findClientPackage, readClientPackage } from '../../db/platform/client-package.ts';
import { CLIENT_FILE, CLIENT_PATH, clientAddress, type ClientPackage } from '../../domain/client-package.ts';
import { AppError } from '../../domain/errors.ts';
import type { ApiDeps } from '../deps.ts';
import type { ApiInstance } from '../instance.ts';
import { FILE_HEADERS } from '../plugins/headers.ts';

const FileParamsSchema = Type.Object({ name: Type.String() }, { additionalProperties: false });

const DIGEST_SUFFIX = '.sha512';

/** The name changes with the content. */
const FOR_EVER = 'public, max-age=31536000, immutable';

/** Null where the site is not served, or was built without a package. */
export async function clientOf({ config: { webDirectory } }: ApiDeps): Promise<ClientPackage | null> {
  return webDirectory === null ? null : readClientPackage(webDirectory);
}

/**
 * Serves the client's package that belongs to this build, and those of earlier builds that `migrate up` has kept:
 * `/client/address` names the newest, `/client/<file>` is a package, `/client/<file>.sha512` its digest for `sha512sum`.
 */
export function registerClientPackage(app: ApiInstance, { db, config }: ApiDeps, own: ClientPackage): void {
  const options = { schema: { hide: true }, config: { rateGroup: 'none' } } as const;
  app.get(`${CLIENT_PATH}/address`, options, async (_request, reply) =>
    reply
      .header('cache-control', 'public, max-age=60')
      .type('text/plain; charset=utf-8')
      .send(`${clientAddress(config.siteUrl, own.fileName)}\n`),
  );
  // Rate limited: an earlier package is read from the database.
  app.get(`${CLIENT_PATH}/:name`, { schema: { hide: true, params: FileParamsSchema } }, async (request, reply) => {
    const { name } = request.params;
    const fileName = name.endsWith(DIGEST_SUFFIX) ? name.slice(0, -DIGEST_SUFFIX.length) : name;
    const found =
      own.fileName === fileName ? own : CLIENT_FILE.test(fileName) && (await findClientPackage(db, fileName));
    if (!found)
      throw new AppError(
        'not_found',
        `there is no package ${name.slice(0, 200)}: ${CLIENT_PATH}/address names the newest`,
      );
    void reply.headers({ ...FILE_HEADERS, 'cache-control': FOR_EVER });
    return name === fileName ? sendPackage(reply, found) : sendDigest(reply, found);
  });
}

function sendPackage(reply: FastifyReply, { bytes }: ClientPackage): FastifyReply {
  return reply.type('application/gzip').send(bytes);
}

function sendDigest(reply: FastifyReply, { fileName, sha512 }: ClientPackage): FastifyReply {
  return reply.type('text/plain; charset=utf-8').send(`${sha512}  ${fileName}\n`);
}
