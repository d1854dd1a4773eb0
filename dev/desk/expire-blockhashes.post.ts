import { send } from '../../api/envelope.ts';
import type { ApiInstance } from '../../api/instance.ts';
import type { DeskDeps } from './deps.ts';
import { acceptNoBody } from './no-body.ts';
import { deskRoute } from './schemas.ts';

/** Expires all that were issued. Returns slot and block height. */
export function expireBlockhashesPost(app: ApiInstance, { chain }: DeskDeps): void {
  app.post(
    '/expire-blockhashes',
    { ...deskRoute, schema: { hide: true }, preHandler: acceptNoBody },
    async (request, reply) => send(request, reply, await chain.expireBlockhashes()),
  );
}
