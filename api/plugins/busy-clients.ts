import type { FastifyRequest } from 'fastify';
import { AppError } from '../../domain/errors.ts';
import { createPlaces } from '../../domain/places.ts';
import { within } from '../../domain/within.ts';
import type { ApiInstance } from '../instance.ts';

/** Set by the proxy on reads of clients that ask for much. A client that sets it itself waits more than it had to. */
const BUSY = 'x-busy-client';

/** Longest wait for the turn, ms: that of the proxy's queues. */
const PATIENCE_MS = 10_000;

/**
 * Serves the reads of all busy clients one after the other, so that however many flood, the reads of others are behind one
 * of theirs. A turn ends with the work for a response, not when its client has taken it.
 */
export function registerBusyClients(app: ApiInstance, patienceMs = PATIENCE_MS): void {
  const turns = createPlaces(1);
  const ends = new WeakMap<FastifyRequest, () => void>();
  app.addHook('onRequest', async (request, reply) => {
    if (request.headers[BUSY] === undefined) return;
    const [turn, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    ends.set(request, end.resolve);
    reply.raw.once('close', end.resolve);
    void turns.take(() => {
      turn.resolve();
      return end.promise;
    });
    await within(patienceMs, turn.promise, tooBusy);
  });
  app.addHook('onSend', async (request, _reply, payload) => {
    ends.get(request)?.();
    return payload;
  });
}

function tooBusy(): AppError {
  const message = 'clients that ask more than 300 times a minute wait for each other; ask less often';
  return new AppError('service_unavailable', message, { retryAfterSeconds: 10 });
}
