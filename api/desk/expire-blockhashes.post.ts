import { send } from '../envelope.ts';
import type { ApiInstance } from '../instance.ts';
import type { DeskDeps } from './deps.ts';
import { acceptNoBody } from './no-body.ts';
import { deskRoute } from './schemas.ts';

/**
 * `POST /local/expire-blockhashes`: moves the chain past the validity of every blockhash handed out so far. Answers the
 * slot and block height it is at now.
 */
export function expireBlockhashesPost(app: ApiInstance, { chain }: DeskDeps): void {
  app.post(
    '/expire-blockhashes',
    { ...deskRoute, schema: { hide: true }, preHandler: acceptNoBody },
    async (request, reply) => send(request, reply, await chain.expireBlockhashes()),
  );
}
