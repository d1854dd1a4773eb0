import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../domain/errors.ts';
import { within } from '../../domain/within.ts';
import { clientOf } from '../client-address.ts';
import { createFairPlaces, type FairPlaces } from '../fair-places.ts';
import type { ApiInstance } from '../instance.ts';
import { peerAddressOf } from '../peer-address.ts';

/** A request waits for requests of its own kind alone. */
type Kind = 'busy' | 'read' | 'prepare' | 'submit';

export interface TurnSettings {
  /** Requests that are worked for at once. */
  readonly atOnce: Readonly<Record<Kind, number>>;
  /** Longest wait for a turn, ms. */
  readonly patienceMs: number;
}

/**
 * Clients that ask for much get one turn between them: however many flood, the reads of others are behind one of theirs.
 * A request with a body holds its turn while that arrives, a submit while it waits for its launch.
 */
export const TURNS: TurnSettings = { atOnce: { busy: 1, read: 800, prepare: 400, submit: 400 }, patienceMs: 10_000 };

/** Set by the proxy on reads of clients that ask for much. A client that sets it itself waits more than it had to. */
const BUSY = 'x-busy-client';

/** The longest that work goes on for a client that has hung up, ms: more than the timeouts of dependencies. */
const LONGEST_WORK_MS = 60_000;

/**
 * Bounds the requests that are worked for at once. A turn ends with the work for a response: an unread response takes none,
 * and a client that hangs up ends no work. Streams have places of their own.
 */
export function registerTurns(app: ApiInstance, { atOnce, patienceMs }: TurnSettings): void {
  const turns: Readonly<Record<Kind, FairPlaces>> = {
    busy: createFairPlaces(atOnce.busy),
    read: createFairPlaces(atOnce.read),
    prepare: createFairPlaces(atOnce.prepare),
    submit: createFairPlaces(atOnce.submit),
  };
  const ends = new WeakMap<FastifyRequest, () => void>();
  app.addHook('onRequest', async (request, reply) => {
    const kind = kindOf(request);
    if (kind === null) return;
    const [turn, end] = [Promise.withResolvers<'turn'>(), Promise.withResolvers<void>()];
    ends.set(request, end.resolve);
    const gone = goneOf(reply);
    void turns[kind].take(clientOf(peerAddressOf(request)), async () => {
      if (reply.raw.closed) return;
      turn.resolve('turn');
      await end.promise;
    });
    const first = await within(patienceMs, Promise.race([turn.promise, gone]), () => tooLate(kind));
    if (first === 'gone') return void reply.hijack();
    reply.raw.once('close', () => {
      if (ends.has(request)) setTimeout(end.resolve, LONGEST_WORK_MS).unref();
    });
  });
  app.addHook('onSend', async (request, _reply, payload) => {
    ends.get(request)?.();
    ends.delete(request);
    return payload;
  });
}

/** Null for what no client may delay, and for what is held for long. */
function kindOf({ headers, method, routeOptions: { config, url } }: FastifyRequest): Kind | null {
  if (config?.isProbe === true || config?.isStream === true) return null;
  if (headers[BUSY] !== undefined) return 'busy';
  if (method !== 'POST') return 'read';
  return url?.endsWith('/submit') === true ? 'submit' : 'prepare';
}

function goneOf({ raw }: FastifyReply): Promise<'gone'> {
  const { promise, resolve } = Promise.withResolvers<'gone'>();
  raw.once('close', () => resolve('gone'));
  return promise;
}

const REASONS: Readonly<Record<Kind, string>> = {
  busy: 'clients that ask more than 300 times a minute wait for each other; ask less often',
  read: 'too many reads are under way; try again',
  prepare: 'too many requests are under way; try again',
  submit: 'too many submits are under way; try again',
};

function tooLate(kind: Kind): AppError {
  return new AppError('service_unavailable', REASONS[kind], { retryAfterSeconds: 10 });
}
