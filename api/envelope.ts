import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** `meta` of a success. */
export interface Meta {
  /** When the answer was made, which clients tell its age by: ISO 8601, UTC. */
  readonly generatedAt: string;
  /** Where the answer is for this request alone. */
  readonly requestId?: string;
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
export function success<Data extends object>(request: FastifyRequest, data: Data): Envelope<Data> {
  return { data, meta: { generatedAt: new Date().toISOString(), requestId: request.id } };
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

/**
 * So long an answer that has not changed is told so to who has it; then it is sent again, with the time of now: clients take an
 * answer for stale by its time, also one that their own cache has just asked about.
 */
export const UNCHANGED_SECONDS = 20;

/** Encodes a read that caches may keep, made now. Its ETag is of the data, and of the time only roughly. */
export function encodeRead(data: object, now = new Date()): EncodedRead {
  const text = JSON.stringify(data);
  const period = Math.floor(now.getTime() / (UNCHANGED_SECONDS * 1_000));
  const meta: Meta = { generatedAt: now.toISOString() };
  return { body: `{"data":${text},"meta":${JSON.stringify(meta)}}`, etag: etagOf(`${period} ${text}`) };
}

/** The same for a document of its own shape, which is not in the envelope. */
export function encodeDocument(document: object): EncodedRead {
  const body = JSON.stringify(document);
  return { body, etag: etagOf(body) };
}

function etagOf(text: string): string {
  return `W/"${hash('sha1', text, 'base64url')}"`;
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
  const stale = staleSeconds > 0 ? `, stale-while-revalidate=${staleSeconds}` : '';
  return `public, max-age=0, s-maxage=${seconds}${stale}`;
}

/** Encodes and sends a read that shared caches may keep, made for this request alone. */
export function sendCached(request: FastifyRequest, reply: FastifyReply, cache: CacheFor, data: object): FastifyReply {
  return sendRead(request, reply, cache, encodeRead(data));
}

/** Whether an `If-None-Match` header names this tag; weak comparison, as RFC 9110 13.1.2 asks. */
function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch === etag) return true;
  const known = ifNoneMatch.split(',').map((tag) => tag.trim());
  return known.includes('*') || known.some((tag) => tag.replace(/^W\//, '') === etag.slice(2));
}
