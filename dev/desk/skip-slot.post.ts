import Type from 'typebox';
import { send } from '../../api/envelope.ts';
import type { ApiInstance } from '../../api/instance.ts';
import type { DeskDeps } from './deps.ts';
import { deskRoute } from './schemas.ts';

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
 * The newest slot with a transaction and all later ones, as if skipped; the named transactions land again alone. 409,
 * with nothing dropped, when it is finalized or lacks them.
 */
export function skipSlotPost(app: ApiInstance, { chain }: DeskDeps): void {
  app.post('/skip-slot', { ...deskRoute, schema }, async (request, reply) =>
    send(request, reply, await chain.skipSlot(request.body.reland)),
  );
}
