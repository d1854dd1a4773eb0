import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../../domain/errors.ts';
import { createPlaces, type PlaceLimits, type Places } from '../../domain/places.ts';
import { askerOf } from '../asker.ts';
import type { ApiInstance } from '../instance.ts';

/** A request waits for requests of its own kind alone. */
type Kind = 'busy' | 'document' | 'read' | 'prepare' | 'submit';

/** Bounds of the requests that are worked for at once. */
export type TurnSettings = Readonly<Record<Kind, PlaceLimits>>;

const patienceMs = 10_000;

/**
 * Clients that ask for much get one turn between them: however many flood, the reads of others are behind one of theirs.
 * A request with a body holds its turn while that arrives, a document until it is read: more than the responses that
 * slow clients may hold (`slow-clients.ts`), so quick ones find turns.
 */
export const TURNS: TurnSettings = {
  busy: { inAll: 1, patienceMs },
  document: { inAll: 500, perClient: 10, patienceMs },
  read: { inAll: 400, perClient: 40, patienceMs },
  prepare: { inAll: 200, perClient: 10, patienceMs },
  submit: { inAll: 200, perClient: 10, patienceMs },
};

/** Set by the proxy on reads of clients that ask for much. A client that sets it itself waits more than it had to. */
const BUSY = 'x-busy-client';

/** The longest that work goes on for a client that has hung up, ms: more than the timeouts of dependencies. */
const LONGEST_WORK_MS = 60_000;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Its response is streamed, and takes the time that its client takes. */
    isDocument?: boolean;
  }
}

const ends = new WeakMap<FastifyRequest, () => void>();

/** Ends the turn of a request that only waits from now on. */
export function endTurn(request: FastifyRequest): void {
  ends.get(request)?.();
  ends.delete(request);
}

/**
 * Bounds the requests that are worked for at once, fairly by client. A turn ends with the work for a response: an unread
 * response takes none, unless it is streamed, and a client that hangs up ends no work. Streams of events have places of
 * their own.
 */
export function registerTurns(app: ApiInstance, limits: TurnSettings): void {
  const turnsOf = (kind: Kind) => createPlaces(limits[kind], () => tooLate(kind));
  const turns: Readonly<Record<Kind, Places>> = {
    busy: turnsOf('busy'),
    document: turnsOf('document'),
    read: turnsOf('read'),
    prepare: turnsOf('prepare'),
    submit: turnsOf('submit'),
  };
  app.addHook('onRequest', async (request, reply) => {
    const kind = kindOf(request);
    if (kind === null) return;
    const asker = askerOf(request, reply);
    const end = await turns[kind].hold(asker).catch((error: unknown) => {
      if (!asker.gone.aborted) throw error;
    });
    if (end === undefined) return void reply.hijack();
    ends.set(request, end);
    reply.raw.once('close', () => {
      if (ends.has(request)) setTimeout(end, LONGEST_WORK_MS).unref();
    });
  });
  app.addHook('onSend', async (request, _reply, payload) => {
    const isHeld = payload instanceof Readable && request.routeOptions.config.isDocument === true;
    if (isHeld) payload.once('close', () => endTurn(request));
    else endTurn(request);
    // Fastify would make the whole body of a response to HEAD, to drop it.
    if (payload instanceof Readable && request.method === 'HEAD') payload.destroy();
    return payload;
  });
}

/**
 * Ends requests whose client hung up before their body is read: Fastify would wait for that body for ever, with a turn.
 * Nothing may wait between this hook and the reading of the body, so it is the last one before it.
 */
export function registerHangUps(app: ApiInstance): void {
  app.addHook('preParsing', (request, reply, payload, done) => {
    if (!request.raw.destroyed) return done(null, payload);
    endTurn(request);
    reply.hijack();
  });
}

/** Null for what no client may delay, and for what is held for long. */
function kindOf({ headers, method, routeOptions: { config, url } }: FastifyRequest): Kind | null {
  if (config?.isProbe === true || config?.isStream === true) return null;
  if (config?.isDocument === true) return 'document';
  if (headers[BUSY] !== undefined) return 'busy';
  // No route: what prepares must not wait for it.
  if (method !== 'POST' || url === undefined) return 'read';
  return url.endsWith('/submit') ? 'submit' : 'prepare';
}

const REASONS: Readonly<Record<Kind, string>> = {
  busy: 'clients that ask more than 300 times a minute wait for each other; ask less often',
  document: 'too many documents are being read; try again',
  read: 'too many reads are under way; try again',
  prepare: 'too many requests are under way; try again',
  submit: 'too many submits are under way; try again',
};

function tooLate(kind: Kind): AppError {
  return new AppError('service_unavailable', REASONS[kind], { retryAfterSeconds: 10 });
}
