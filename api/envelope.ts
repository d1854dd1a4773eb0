import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** `meta` of a success: the request's id where the answer is for this request alone, and for lists where in the list it stands. */
export interface Meta {
  readonly requestId?: string;
  readonly page?: number;
  readonly pageSize?: number;
  readonly total?: number;
  readonly hasMore?: boolean;
  /** Where the next page begins; null on the last one. */
  readonly nextCursor?: string | null;
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

/** Content type of every JSON answer. */
export const JSON_TYPE = 'application/json; charset=utf-8';

/** A read as it is sent and kept: who gets it from a cache gets the same bytes, so it carries no request id in its body. */
export interface EncodedRead {
  /** JSON. */
  readonly body: string;
  /** Weak, because a proxy may compress the body. */
  readonly etag: string;
}

/** Encodes a read that caches may keep, with an ETag over all of it. */
export function encodeRead(data: object, list: Omit<Meta, 'requestId'> = {}): EncodedRead {
  return encodeDocument({ data, meta: list });
}

/** The same for a document of its own shape, which is not in the envelope. */
export function encodeDocument(document: object): EncodedRead {
  const body = JSON.stringify(document);
  return { body, etag: `W/"${hash('sha1', body, 'base64url')}"` };
}

/** Sends a read that shared caches may keep, or 304 to a client that already has it. */
export function sendRead(
  request: FastifyRequest,
  reply: FastifyReply,
  cache: CacheFor,
  read: EncodedRead,
): FastifyReply {
  void reply.header('cache-control', cacheControl(cache)).header('etag', read.etag);
  if (isKnown(request.headers['if-none-match'], read.etag)) return reply.code(304).send();
  return reply.type(JSON_TYPE).send(read.body);
}

function cacheControl({ seconds, staleSeconds }: CacheFor): string {
  const fresh = `public, max-age=0, s-maxage=${seconds}`;
  return staleSeconds === 0 ? fresh : `${fresh}, stale-while-revalidate=${staleSeconds}`;
}

/** Encodes and sends a read that shared caches may keep, made for this request alone. */
export function sendCached(
  request: FastifyRequest,
  reply: FastifyReply,
  cache: CacheFor,
  data: object,
  list: Omit<Meta, 'requestId'> = {},
): FastifyReply {
  return sendRead(request, reply, cache, encodeRead(data, list));
}

/** Whether an `If-None-Match` header names this tag; weak comparison, as RFC 9110 13.1.2 asks. */
function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch === etag) return true;
  const known = ifNoneMatch.split(',').map((tag) => tag.trim());
  return known.includes('*') || known.some((tag) => tag.replace(/^W\//, '') === etag.slice(2));
}
