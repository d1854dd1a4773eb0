import { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { clientOf } from '../client-address.ts';
import { ClientPlaces, type PlaceLimits } from '../client-places.ts';
import type { ApiInstance } from '../instance.ts';
import { peerAddressOf } from '../peer-address.ts';
import { answerLateRequest } from './client-error.ts';

/** An exchange waits until its client has sent the one, or taken the other. */
type Part = 'body' | 'response';

export interface SlowClientSettings {
  /** How often open exchanges are looked at, ms. One that waits at two looks in a row is slow. */
  readonly everyMs: number;
  /** The longest that a client may take for its response, ms. A body has the server's own limit. */
  readonly mostMs: number;
  readonly limits: Readonly<Record<Part, PlaceLimits>>;
}

/** Fewer than half of what the proxy sends to an API (`test/deploy/pools.test.ts`), so that quick clients find places. */
export const SLOW_CLIENTS: SlowClientSettings = {
  everyMs: 500,
  mostMs: 120_000,
  limits: { body: { perClient: 10, inAll: 150 }, response: { perClient: 20, inAll: 400 } },
};

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** Looks in a row at which it waited for its client. */
  waited: number;
  giveBack: (() => void) | null;
}

/**
 * Bounds what clients hold that send their request or take their response slowly: each needs a place, of which a client
 * has a share. One that finds none is cut off. Streams have places of their own.
 */
export function registerSlowClients(app: ApiInstance, settings: SlowClientSettings): void {
  const open = new Set<Exchange>();
  const places = { body: new ClientPlaces(settings.limits.body), response: new ClientPlaces(settings.limits.response) };
  app.addHook('onRequest', async (request, reply) => {
    // An injected request has no connection.
    if (request.routeOptions.config?.isStream === true || !(request.raw.socket instanceof Socket)) return;
    const exchange: Exchange = { request, reply, waited: 0, giveBack: null };
    open.add(exchange);
    reply.raw.once('close', () => {
      open.delete(exchange);
      exchange.giveBack?.();
    });
  });
  const timer = setInterval(() => {
    for (const exchange of open) look(exchange, places, settings.mostMs / settings.everyMs);
  }, settings.everyMs).unref();
  app.addHook('onClose', async () => clearInterval(timer));
}

function look(exchange: Exchange, places: Readonly<Record<Part, ClientPlaces>>, mostLooks: number): void {
  const part = awaitedPart(exchange);
  exchange.waited = part === null ? 0 : exchange.waited + 1;
  if (part === null || exchange.waited < 2) return;
  if (exchange.waited > mostLooks || !hasPlace(exchange, places[part])) cutOff(exchange, part);
}

/** Null while a handler works for it. */
function awaitedPart({ request, reply: { raw } }: Exchange): Part | null {
  if (raw.headersSent) return raw.writableFinished ? null : 'response';
  return request.raw.complete ? null : 'body';
}

function hasPlace(exchange: Exchange, places: ClientPlaces): boolean {
  if (exchange.giveBack !== null) return true;
  const taken = places.take(clientOf(peerAddressOf(exchange.request)));
  if (typeof taken === 'string') return false;
  exchange.giveBack = taken;
  return true;
}

function cutOff({ request: { raw } }: Exchange, part: Part): void {
  if (part === 'body') answerLateRequest(raw.socket);
  else raw.socket.destroy();
}
