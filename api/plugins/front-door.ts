import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  createKeptAnswers,
  gzipOnce,
  type KeptAnswer,
  type KeptAnswers,
  plainOf,
  type Representation,
} from '../cache/kept-answers.ts';
import { isKnown, JSON_TYPE, type KeptRead } from '../envelope.ts';
import type { ApiInstance } from '../instance.ts';
import { requestIdOf } from '../request-id.ts';
import { clientAddressBehind } from './client-address.ts';
import type { RequestLog } from './logging.ts';
import { QUOTA_HEADER, quotaText, type RateLimiter } from './rate-limit.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The read that is being sent, when the front door may send it again. */
    keptRead: KeptRead | null;
  }
}

/** What the front door needs to answer as the endpoints behind it do. */
export interface FrontDoorDeps {
  readonly limiter: RateLimiter;
  /** Null where nobody reads it. */
  readonly log: RequestLog | null;
  readonly trustedProxies: readonly string[];
}

/** Headers that belong to one request or connection. */
const OWN_HEADERS = new Set(['x-request-id', QUOTA_HEADER, 'content-length', 'connection', 'date']);

/** What a 304 says of the answer that the client has (RFC 9110 15.4.5), and what lets a page see it at all. */
const NOT_MODIFIED_HEADERS = new Set(['cache-control', 'etag', 'vary', 'access-control-allow-origin']);

/**
 * Answers a read again that was just sent to someone, before routing and validation: a crowd that asks for one thing costs
 * little more than its sockets. Everything a client can tell is as behind it: headers, 304, HEAD, the rate limit; only that here it may come compressed.
 */
export function registerFrontDoor(app: ApiInstance, deps: FrontDoorDeps): void {
  const kept = createKeptAnswers();
  app.decorateRequest('keptRead', null);
  app.addHook('onSend', async (request, reply, payload) => {
    if (request.keptRead) keepAnswer(kept, request, reply, request.keptRead);
    return payload;
  });
  let closing = false;
  app.addHook('preClose', async () => {
    closing = true;
  });
  const answer = answerer(kept, deps);
  const { server } = app;
  const behind = server.listeners('request') as ((request: IncomingMessage, response: ServerResponse) => void)[];
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    if (!closing && answer(request, response)) return;
    for (const listener of behind) listener.call(server, request, response);
  });
}

function keepAnswer(kept: KeptAnswers, request: FastifyRequest, reply: FastifyReply, read: KeptRead): void {
  // A 304 is the answer to who has these bytes; the next one to ask may not.
  if (request.method !== 'GET' || (reply.statusCode !== 200 && reply.statusCode !== 304)) return;
  kept.keep(request.raw.url ?? '', () => answerOf(request, reply, read));
}

function answerOf(request: FastifyRequest, reply: FastifyReply, { etag, body, freshUntil }: KeptRead): KeptAnswer {
  const entries = Object.entries({ ...reply.getHeaders(), 'content-type': JSON_TYPE })
    .filter(([name]) => !OWN_HEADERS.has(name))
    .map(([name, value]) => [name, String(value)] as const);
  const headers = entries.flat();
  const notModified = entries.filter(([name]) => NOT_MODIFIED_HEADERS.has(name)).flat();
  const { url: route = '', config } = request.routeOptions;
  return {
    ...{ etag, freshUntil, route, rateGroup: config.rateGroup ?? 'api', host: request.raw.headers.host },
    plain: plainOf(headers, body),
    gzipped: gzipOnce(headers, body),
    notModified: { status: 304, headers: notModified, encoding: 'utf8' },
  };
}

/** Sends a kept answer and says so, or leaves the request to what is behind. */
function answerer(kept: KeptAnswers, { limiter, log, trustedProxies }: FrontDoorDeps) {
  const addressOf = clientAddressBehind(trustedProxies);
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return false;
    const nowMs = Date.now();
    const answer = kept.find(request.url ?? '', nowMs);
    // Some answers name the origin that was asked.
    if (!answer || answer.host !== request.headers.host) return false;
    const ip = addressOf(request.socket.remoteAddress, request.headers['x-forwarded-for']);
    const quota = answer.rateGroup === 'none' ? null : limiter.take(answer.rateGroup, ip, nowMs);
    // Refusing is for what is behind.
    if (quota?.exceeded) return false;
    const requestId = requestIdOf(request);
    const { status, headers, body, encoding } = representationFor(request, answer);
    const own = quota ? ['x-request-id', requestId, QUOTA_HEADER, quotaText(quota)] : ['x-request-id', requestId];
    response.writeHead(status, headers.concat(own)).end(body, encoding);
    log?.({ requestId, method: request.method, route: answer.route, ip, status, ms: 0 });
    return true;
  };
}

function representationFor(
  request: IncomingMessage,
  { etag, plain, gzipped, notModified }: KeptAnswer,
): Representation {
  if (isKnown(request.headers['if-none-match'], etag)) return notModified;
  return (readsGzip(request) ? gzipped() : null) ?? plain;
}

/** Whether a client says that it reads gzip (RFC 9110 12.5.3). */
function readsGzip({ headers }: IncomingMessage): boolean {
  const accepted = headers['accept-encoding'];
  return typeof accepted === 'string' && /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(accepted);
}
