import { AppError } from '../../domain/errors.ts';
import { send } from '../../api/envelope.ts';
import type { ApiInstance } from '../../api/instance.ts';
import type { DeskDeps } from './deps.ts';
import { EngineFaultSchema } from './engine-faults.ts';
import { deskRoute } from './schemas.ts';

const schema = { hide: true, body: EngineFaultSchema };

/** Sets the fault; `none` clears it. Returns the fault. */
export function blockEnginePost(app: ApiInstance, { engineFaults }: DeskDeps): void {
  app.post('/block-engine', { ...deskRoute, schema }, async (request, reply) => {
    if (engineFaults === null) throw new AppError('conflict', 'this stack uses a block engine that is not its own');
    return send(request, reply, await engineFaults.set(request.body));
  });
}
