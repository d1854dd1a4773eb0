import { createHash } from 'node:crypto';
import { type FastifyReply, type FastifyRequest } from 'fastify';

/** `meta` of every success: the request's id and, for lists, where in the list the answer stands. */
export interface Meta {
  readonly requestId: string;
  readonly page?: number;
  readonly pageSize?: number;
  readonly total?: number;
  readonly hasMore?: boolean;
}

/** A success: `data` is always an object, also around a list. */
export interface Envelope<Data extends object> {
  readonly data: Data;
  readonly meta: Meta;
}

/** How long an answer may be served from a shared cache, and for how long after that while it is fetched anew; both in seconds. */
export interface CacheFor {
  readonly seconds: number;
  readonly staleSeconds: number;
}

/** Wraps an answer that nobody may cache (the default of every response). */
export function success<Data extends object>(
  request: FastifyRequest,
  data: Data,
  list: Omit<Meta, 'requestId'> = {},
): Envelope<Data> {
  return { data, meta: { requestId: request.id, ...list } };
}

/** Sends an answer that nobody may cache. */
export function send(request: FastifyRequest, reply: FastifyReply, data: object): FastifyReply {
  return reply.send(success(request, data));
}

/**
 * Sends a read that shared caches may keep, with a weak ETag over everything but the request id; answers 304 to a client
 * that already has it.
 */
export function sendCached(
  request: FastifyRequest,
  reply: FastifyReply,
  cache: CacheFor,
  data: object,
  list: Omit<Meta, 'requestId'> = {},
): FastifyReply {
  const etag = etagOf({ data, list });
  void reply
    .header(
      'cache-control',
      `public, max-age=0, s-maxage=${cache.seconds}, stale-while-revalidate=${cache.staleSeconds}`,
    )
    .header('etag', etag);
  if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send();
  return reply.send(success(request, data, list));
}

function etagOf(value: object): string {
  return `W/"${createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 27)}"`;
}

function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  const known = (ifNoneMatch ?? '').split(',').map((tag) => tag.trim());
  return known.includes('*') || known.some((tag) => tag.replace(/^W\//, '') === etag.slice(2));
}
