import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

export interface Meta {
  /** Creation, ISO 8601, UTC. */
  readonly generatedAt: string;
  /** If the response is for this request only. */
  readonly requestId?: string;
}

/** `data` is an object, also around a list. */
export interface Envelope<Data extends object> {
  readonly data: Data;
  readonly meta: Meta;
}

/** Cache times: seconds in a shared cache, and more during revalidation. */
export interface CacheFor {
  readonly seconds: number;
  readonly staleSeconds: number;
}

/** Wraps data in the envelope; not cached (the default). */
export function success<Data extends object>(request: FastifyRequest, data: Data): Envelope<Data> {
  return { data, meta: { generatedAt: new Date().toISOString(), requestId: request.id } };
}

export function send(request: FastifyRequest, reply: FastifyReply, data: object): FastifyReply {
  return reply.send(success(request, data));
}

export const JSON_TYPE = 'application/json; charset=utf-8';

/** An encoded response. All clients get the same bytes: the body has no request id. */
export interface EncodedRead {
  /** JSON. */
  readonly body: string;
  /** Weak: a proxy may compress the body. */
  readonly etag: string;
}

/**
 * Age after which an unchanged response is sent again with the present time instead of 304: clients judge staleness by
 * it.
 */
export const UNCHANGED_SECONDS = 20;

/** The ETag covers the data, the time only in coarse steps. */
export function encodeRead(data: object, now = new Date()): EncodedRead {
  const text = JSON.stringify(data);
  const period = Math.floor(now.getTime() / (UNCHANGED_SECONDS * 1_000));
  const meta: Meta = { generatedAt: now.toISOString() };
  return { body: `{"data":${text},"meta":${JSON.stringify(meta)}}`, etag: etagOf(`${period} ${text}`) };
}

/** Encodes a document without the envelope. */
export function encodeDocument(document: object): EncodedRead {
  const body = JSON.stringify(document);
  return { body, etag: etagOf(body) };
}

function etagOf(text: string): string {
  return `W/"${hash('sha1', text, 'base64url')}"`;
}

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
  const stale = staleSeconds > 0 ? `, stale-while-revalidate=${staleSeconds}` : '';
  return `public, max-age=0, s-maxage=${seconds}${stale}`;
}

export function sendCached(request: FastifyRequest, reply: FastifyReply, cache: CacheFor, data: object): FastifyReply {
  return sendRead(request, reply, cache, encodeRead(data));
}

/** Compares weakly (RFC 9110 13.1.2). */
function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch === etag) return true;
  const known = ifNoneMatch.split(',').map((tag) => tag.trim());
  return known.includes('*') || known.some((tag) => tag.replace(/^W\//, '') === etag.slice(2));
}
