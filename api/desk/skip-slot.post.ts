import Type from 'typebox';
import { send } from '../envelope.ts';
import type { ApiInstance } from '../instance.ts';
import type { DeskDeps } from './deps.ts';
import { deskRoute } from './schemas.ts';

/** Body of `POST /local/skip-slot`. */
export const SkipSlotBodySchema = Type.Object(
  {
    reland: Type.Array(Type.Integer({ minimum: 0 }), {
      maxItems: 1_000,
      uniqueItems: true,
      description:
        'Places, from 0, of the dropped transactions that land again, in this order, each in a slot of its own',
    }),
  },
  { additionalProperties: false },
);

const schema = { hide: true, body: SkipSlotBodySchema };

/**
 * `POST /local/skip-slot`: drops the newest slot with a transaction, and all after it, as if its leader had been skipped;
 * the named transactions land again alone. 409 when that slot is finalized or has no such transaction; nothing is dropped then.
 */
export function skipSlotPost(app: ApiInstance, { chain }: DeskDeps): void {
  app.post('/skip-slot', { ...deskRoute, schema }, async (request, reply) =>
    send(request, reply, await chain.skipSlot(request.body.reland)),
  );
}
