import type { ApiInstance } from '../instance.ts';
import { RATE_HEADERS } from './rate-limit.ts';

/** Seconds. */
const WINDOW_SECONDS = 60;

/** Caches give cacheable responses to others: no request id, rate headers of an uncounted client. */
export function registerSharedAnswers(app: ApiInstance): void {
  app.addHook('onSend', async (_request, reply, payload) => {
    if (!isShared(reply.getHeader('cache-control'))) return payload;
    void reply.removeHeader('x-request-id');
    const limit = reply.getHeader(RATE_HEADERS.limit);
    if (limit !== undefined) {
      void reply.header(RATE_HEADERS.remaining, limit);
      void reply.header(RATE_HEADERS.reset, Math.ceil(Date.now() / 1_000) + WINDOW_SECONDS);
    }
    return payload;
  });
}

function isShared(cacheControl: unknown): boolean {
  return typeof cacheControl === 'string' && /\bpublic\b/.test(cacheControl);
}
