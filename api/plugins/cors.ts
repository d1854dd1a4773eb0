import cors, { type FastifyCorsOptions } from '@fastify/cors';
import type { FastifyRequest } from 'fastify';
import type { ApiInstance } from '../instance.ts';
import { RATE_HEADERS } from './rate-limit.ts';

/** Paths of the local desk. */
const DESK_PREFIX = '/local/';

/** What a page may read beside the body. */
const EXPOSED_HEADERS = ['etag', 'retry-after', 'x-request-id', ...Object.values(RATE_HEADERS)];

/** What a page may send beside what every page may: the last two are habits of libraries. */
const ALLOWED_HEADERS = [
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
  // Preflights end where every OPTIONS does, in known-methods.ts, so that they carry `Allow` and unknown paths stay 404.
  preflightContinue: true,
  strictPreflight: false,
};

/**
 * Lets any web page use the API: it is open to everyone, no answer depends on cookies, and a launch needs the creator's
 * signature whatever page asked for it.
 *
 * @see https://github.com/fastify/fastify-cors
 */
export async function registerCors(app: ApiInstance): Promise<void> {
  await app.register(cors, {
    // The local desk moves funds for whoever asks on this machine: no page of another origin may ask.
    delegator: (request, done) => {
      done(null, isDesk(request) ? { origin: false } : OPEN);
    },
  });
  app.addHook('onRequest', async (request, reply) => {
    // Added for every delegator, but the answer is the same for all origins: shared caches need not keep one for each.
    if (!isDesk(request)) void reply.removeHeader('vary');
  });
}

/** The same for an answer that no hook sees: what a page needs to read it at all. */
export function corsHeadersOf(request: FastifyRequest): Readonly<Record<string, string>> {
  if (isDesk(request)) return {};
  return { 'access-control-allow-origin': '*', 'access-control-expose-headers': EXPOSED_HEADERS.join(', ') };
}

function isDesk({ url }: FastifyRequest): boolean {
  return url.startsWith(DESK_PREFIX);
}
