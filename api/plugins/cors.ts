import cors from '@fastify/cors';
import { type ApiInstance } from '../instance.ts';

/**
 * Lets any web page read: market data is public and no answer depends on cookies. Only reads: a launch is prepared by the
 * creator's own site or a server.
 *
 * @see https://github.com/fastify/fastify-cors
 */
export async function registerCors(app: ApiInstance): Promise<void> {
  await app.register(cors, {
    origin: '*',
    methods: ['GET', 'HEAD'],
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
  });
}
