import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import { createKeptAnswers, type KeptAnswer, type KeptAnswers } from '../cache/kept-answers.ts';
import { isKnown, type KeptRead } from '../envelope.ts';
import type { ApiInstance } from '../instance.ts';
import { requestIdOf } from '../request-id.ts';
import { clientAddressBehind } from './client-address.ts';
import { quotaHeaders, type RateLimiter } from './rate-limit.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The read that is being sent, when the front door may send it again. */
    keptRead: KeptRead | null;
  }
}

/** What the front door needs to answer as the endpoints behind it do. */
export interface FrontDoorDeps {
  readonly limiter: RateLimiter;
  readonly logger: FastifyBaseLogger;
  readonly trustedProxies: readonly string[];
}

/** Headers that belong to one request or connection. */
const OWN_HEADERS = new Set([
  ...['x-request-id', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'],
  ...['content-length', 'connection', 'date'],
]);

/**
 * Answers a read again that was just sent to someone, before routing and validation: a crowd that asks for one thing costs
 * little more than its sockets. Everything a client can tell is as behind it: headers, 304, HEAD, the rate limit, the log line.
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
  if (request.method !== 'GET' || reply.statusCode !== 200) return;
  const headers = Object.entries(reply.getHeaders())
    .filter(([name]) => !OWN_HEADERS.has(name))
    .flatMap(([name, value]) => [name, String(value)]);
  const { url: route = '', config } = request.routeOptions;
  const rateGroup = config.rateGroup ?? 'api';
  kept.keep(keyOf(request.raw), { ...read, headers, rateGroup, route });
}

/** Answers are kept by host too: some name the origin that was asked. */
function keyOf(request: IncomingMessage): string {
  return `${request.headers.host ?? ''} ${request.url ?? ''}`;
}

/** Sends a kept answer and says so, or leaves the request to what is behind. */
function answerer(kept: KeptAnswers, { limiter, logger, trustedProxies }: FrontDoorDeps) {
  const addressOf = clientAddressBehind(trustedProxies);
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return false;
    const answer = kept.find(keyOf(request), Date.now());
    if (!answer) return false;
    const ip = addressOf(request.socket.remoteAddress, request.headers['x-forwarded-for']);
    const quota = answer.rateGroup === 'none' ? null : limiter.take(answer.rateGroup, ip);
    // Refusing is for what is behind.
    if (quota?.exceeded) return false;
    const requestId = requestIdOf(request);
    const status = sendKept(request, response, answer, {
      ...(quota && quotaHeaders(quota)),
      'x-request-id': requestId,
    });
    logger.info({ requestId, method: request.method, route: answer.route, ip, status, ms: 0 }, 'request');
    return true;
  };
}

function sendKept(
  request: IncomingMessage,
  response: ServerResponse,
  { etag, body, headers }: KeptAnswer,
  own: Readonly<Record<string, string>>,
): number {
  const all = [...headers];
  for (const name in own) all.push(name, own[name]!);
  if (isKnown(request.headers['if-none-match'], etag)) {
    response.writeHead(304, all).end();
    return 304;
  }
  all.push('content-length', String(body.length));
  response.writeHead(200, all).end(body);
  return 200;
}
