import type { ApiInstance } from '../instance.ts';

const HEADERS = {
  'x-content-type-options': 'nosniff',
  // Cacheable reads replace it.
  'cache-control': 'no-store',
};

const HSTS = 'max-age=31536000; includeSubDomains';

/** Other origins may embed them, even with isolation (COEP). Opened as a page a file can run nothing. */
export const FILE_HEADERS = {
  'cross-origin-resource-policy': 'cross-origin',
  'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
};

export function headersOf(siteUrl: string): Readonly<Record<string, string>> {
  return siteUrl.startsWith('https://') ? { ...HEADERS, 'strict-transport-security': HSTS } : HEADERS;
}

export function registerHeaders(app: ApiInstance, siteUrl: string): void {
  const fixed = headersOf(siteUrl);
  app.addHook('onRequest', async (request, reply) => {
    void reply.headers({ ...fixed, 'x-request-id': request.id });
  });
}
