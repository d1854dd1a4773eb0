import { type ApiInstance } from '../instance.ts';

const HEADERS = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'cross-origin',
  // The default; reads that may be cached replace it.
  'cache-control': 'no-store',
};

const HSTS = 'max-age=31536000; includeSubDomains';

/** Headers of every answer: its request id, and what keeps a browser from doing anything with JSON but reading it. */
export function registerHeaders(app: ApiInstance, siteUrl: string): void {
  const fixed = siteUrl.startsWith('https://') ? { ...HEADERS, 'strict-transport-security': HSTS } : HEADERS;
  app.addHook('onRequest', async (request, reply) => {
    void reply.headers({ ...fixed, 'x-request-id': request.id });
  });
}
