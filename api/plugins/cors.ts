import cors, { type FastifyCorsOptions } from '@fastify/cors';
import type { FastifyRequest } from 'fastify';
import { isLoopbackName } from '../../config/loopback.ts';
import type { ApiInstance } from '../instance.ts';
import { RATE_HEADERS } from './rate-limit.ts';

/** Names for browsers without support of `*`. */
const EXPOSED_HEADERS = ['*', 'etag', 'retry-after', 'x-request-id', ...Object.values(RATE_HEADERS)];

/**
 * Any, so that pages with error or trace reporters (`traceparent`, `baggage`) are not blocked. `*` lacks
 * `authorization`; other names are for browsers without `*`.
 */
const ALLOWED_HEADERS = [
  '*',
  'authorization',
  'content-type',
  'if-none-match',
  'x-request-id',
  'x-admin-password',
  'cache-control',
  'pragma',
];

const OPEN: FastifyCorsOptions = {
  origin: '*',
  methods: ['GET', 'POST', 'OPTIONS'],
  allowedHeaders: ALLOWED_HEADERS,
  exposedHeaders: EXPOSED_HEADERS,
  maxAge: 600,
  // Preflights end in known-methods.ts, so that they carry `Allow` and unknown paths stay 404.
  preflightContinue: true,
  strictPreflight: false,
};

/**
 * Allows any page to use the API: no response depends on cookies, a launch needs the creator's signature. It excludes
 * what is below `closed`.
 *
 * @see https://github.com/fastify/fastify-cors
 */
export async function registerCors(app: ApiInstance, closed: string | undefined): Promise<void> {
  await app.register(cors, {
    delegator: (request, done) => {
      done(null, isClosed(request, closed) ? { origin: false } : OPEN);
    },
  });
  app.addHook('onRequest', async (request, reply) => {
    // Responses do not depend on the origin: shared caches need no copy per origin.
    if (isClosed(request, closed)) return;
    void reply.removeHeader('vary');
    // A public page that asks an API on its own machine, as the local stack (Private Network Access). An API in an
    // internal network is not opened to the pages of the internet.
    const isAsked = request.headers['access-control-request-private-network'] === 'true';
    if (isAsked && isLoopbackName(request.hostname)) void reply.header('access-control-allow-private-network', 'true');
  });
}

export function corsHeadersOf(request: FastifyRequest, closed: string | undefined): Readonly<Record<string, string>> {
  if (isClosed(request, closed)) return {};
  return { 'access-control-allow-origin': '*', 'access-control-expose-headers': EXPOSED_HEADERS.join(', ') };
}

function isClosed({ url }: FastifyRequest, closed: string | undefined): boolean {
  return closed !== undefined && `${decodedPath(url)}/`.startsWith(`${closed}/`);
}

/** As the router decodes it: `/%64esk` is `/desk`. The router refuses what cannot be decoded. */
function decodedPath(url: string): string {
  const [path = ''] = url.split(/[?#]/, 1);
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
