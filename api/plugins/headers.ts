import type { ApiInstance } from '../instance.ts';

const HEADERS = {
  'x-content-type-options': 'nosniff',
  // The default; reads that may be cached replace it.
  'cache-control': 'no-store',
};

const HSTS = 'max-age=31536000; includeSubDomains';

/**
 * Headers of files that browsers show: pages of other origins may, also those that ask for isolation (COEP), and opened as a page of
 * this site a file can do nothing, whoever chose its bytes.
 */
export const FILE_HEADERS = {
  'cross-origin-resource-policy': 'cross-origin',
  'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
};

/** Headers that every answer begins with, but its request id. */
export function headersOf(siteUrl: string): Readonly<Record<string, string>> {
  return siteUrl.startsWith('https://') ? { ...HEADERS, 'strict-transport-security': HSTS } : HEADERS;
}

/** Headers of every answer: its request id, and what keeps a browser from taking JSON for anything else. */
export function registerHeaders(app: ApiInstance, siteUrl: string): void {
  const fixed = headersOf(siteUrl);
  app.addHook('onRequest', async (request, reply) => {
    void reply.headers({ ...fixed, 'x-request-id': request.id });
  });
}
