import cors, { type FastifyCorsOptions } from '@fastify/cors';
import { type ApiInstance } from '../instance.ts';

/** Paths of the local desk. */
const DESK_PREFIX = '/local/';

const OPEN: FastifyCorsOptions = {
  origin: '*',
  methods: ['GET', 'HEAD', 'POST'],
  allowedHeaders: ['content-type', 'x-request-id', 'x-admin-password'],
  exposedHeaders: [
    'etag',
    'retry-after',
    'x-request-id',
    'x-ratelimit-limit',
    'x-ratelimit-remaining',
    'x-ratelimit-reset',
  ],
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
      done(null, request.url.startsWith(DESK_PREFIX) ? { origin: false } : OPEN);
    },
  });
}
