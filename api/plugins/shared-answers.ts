import type { ApiInstance } from '../instance.ts';
import { RATE_HEADERS } from './rate-limit.ts';

/** Seconds. */
const WINDOW_SECONDS = 60;

/**
 * Cacheable responses may reach others: they carry no request id, and behind a shared cache the rate headers of an
 * uncounted client. Without one their rate headers are true, so that a client can pace itself by them.
 */
export function registerSharedAnswers(app: ApiInstance, hasSharedCache: boolean): void {
  app.addHook('onSend', async (_request, reply, payload) => {
    if (!isShared(reply.getHeader('cache-control'))) return payload;
    void reply.removeHeader('x-request-id');
    const limit = reply.getHeader(RATE_HEADERS.limit);
    if (hasSharedCache && limit !== undefined) {
      void reply.header(RATE_HEADERS.remaining, limit);
      void reply.header(RATE_HEADERS.reset, Math.ceil(Date.now() / 1_000) + WINDOW_SECONDS);
    }
    return payload;
  });
}

function isShared(cacheControl: unknown): boolean {
  return typeof cacheControl === 'string' && /\bpublic\b/.test(cacheControl);
}
