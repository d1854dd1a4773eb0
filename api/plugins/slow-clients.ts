import { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PlaceLimits } from '../../domain/places.ts';
import { clientOf } from '../client-address.ts';
import type { ApiInstance } from '../instance.ts';
import { peerAddressOf } from '../peer-address.ts';
import { answerLateRequest } from './client-error.ts';

/** An exchange waits until its client has sent the one, or taken the other. */
type Part = 'body' | 'response';

type Limits = Required<Pick<PlaceLimits, 'inAll' | 'perClient'>>;

export interface SlowClientSettings {
  /** How often open exchanges are looked at, ms. One that waits at two looks in a row is slow. */
  readonly everyMs: number;
  /** The longest that a client may take for its response, ms. A body has the server's own limit. */
  readonly mostMs: number;
  readonly limits: Readonly<Record<Part, Limits>>;
}

/** Fewer bodies than half of the turns of submits, and fewer responses than documents have turns (`test/deploy/pools.test.ts`), so that quick clients find turns. */
export const SLOW_CLIENTS: SlowClientSettings = {
  everyMs: 500,
  mostMs: 120_000,
  limits: { body: { perClient: 8, inAll: 80 }, response: { perClient: 20, inAll: 400 } },
};

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** Looks in a row at which it waited for its client. */
  waited: number;
  /** Bytes that its connection had received at the last look, and between the last two. */
  received: number;
  moved: number;
}

/**
 * Bounds what clients hold that send their request or take their response slowly. Where they are too many, those of the
 * clients that hold most are cut off. Streams have places of their own.
 */
export function registerSlowClients(app: ApiInstance, settings: SlowClientSettings): void {
  const open = new Set<Exchange>();
  app.addHook('onRequest', async (request, reply) => {
    // An injected request has no connection.
    if (request.routeOptions.config?.isStream === true || !(request.raw.socket instanceof Socket)) return;
    const exchange: Exchange = { request, reply, waited: 0, received: 0, moved: 0 };
    open.add(exchange);
    reply.raw.once('close', () => open.delete(exchange));
  });
  const timer = setInterval(() => look(open, settings), settings.everyMs).unref();
  app.addHook('onClose', async () => clearInterval(timer));
}

function look(open: ReadonlySet<Exchange>, { limits, mostMs, everyMs }: SlowClientSettings): void {
  const slow: Record<Part, Exchange[]> = { body: [], response: [] };
  for (const exchange of open) {
    const part = awaitedPart(exchange);
    const { bytesRead } = exchange.request.raw.socket;
    Object.assign(exchange, { received: bytesRead, moved: bytesRead - exchange.received });
    exchange.waited = part === null ? 0 : exchange.waited + 1;
    if (part !== null && exchange.waited >= 2) slow[part].push(exchange);
  }
  for (const exchange of withoutPlace(slow.body, limits.body, mostMs / everyMs))
    answerLateRequest(exchange.request.raw.socket);
  for (const exchange of withoutPlace(slow.response, limits.response, mostMs / everyMs))
    exchange.request.raw.socket.destroy();
}

/** Every client gets its first place before any gets its second. Of equal ones those that send most, then the latest come first. */
function withoutPlace(slow: readonly Exchange[], { perClient, inAll }: Limits, mostLooks: number): Exchange[] {
  const held = new Map<string, number>();
  const ranked = slow
    .toSorted((a, b) => b.waited - a.waited)
    .map((exchange) => {
      const client = clientOf(peerAddressOf(exchange.request));
      const rank = (held.get(client) ?? 0) + 1;
      held.set(client, rank);
      return { exchange, rank };
    });
  ranked.sort(
    (a, b) => a.rank - b.rank || b.exchange.moved - a.exchange.moved || a.exchange.waited - b.exchange.waited,
  );
  const hasNone = ({ exchange, rank }: (typeof ranked)[number], index: number) =>
    rank > perClient || index >= inAll || exchange.waited > mostLooks;
  return ranked.filter(hasNone).map(({ exchange }) => exchange);
}

/** Null while a handler works for it. */
function awaitedPart({ request, reply: { raw } }: Exchange): Part | null {
  if (raw.headersSent) return raw.writableFinished ? null : 'response';
  return request.raw.complete ? null : 'body';
}
