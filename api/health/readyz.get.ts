import { createCache } from 'async-cache-dedupe';
import type { ApiDeps } from '../deps.ts';
import { success } from '../envelope.ts';
import { ExtendedAppError } from '../errors.ts';
import type { ApiInstance } from '../instance.ts';
import { runProbes } from './readiness.ts';

const PROBE_TIMEOUT_MS = 2_000;

/**
 * `GET {site}/readyz`: 200 when every dependency answers, else 503 that names those which do not. Simultaneous requests share
 * one round of probes and its result for a second, because the endpoint has no rate limit.
 */
export function readyzGet(app: ApiInstance, { probes }: ApiDeps): void {
  const cache = createCache({ ttl: 1, storage: { type: 'memory' } }).define('run', () =>
    runProbes(probes, PROBE_TIMEOUT_MS),
  );
  app.get('/readyz', { schema: { hide: true }, config: { rateGroup: 'none' } }, async (request) => {
    const checks = await cache.run();
    const down = Object.keys(checks).filter((name) => checks[name]?.status === 'down');
    if (down.length === 0) return success(request, { status: 'ready', checks });
    throw new ExtendedAppError(
      'service_unavailable',
      `not ready: ${down.join(', ')}`,
      { checks },
      { retryAfterSeconds: 5 },
    );
  });
}
