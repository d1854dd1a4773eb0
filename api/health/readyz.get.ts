import { createCache } from 'async-cache-dedupe';
import { instanceHeaders } from '../../observe/instance-header.ts';
import type { ApiDeps } from '../deps.ts';
import { success } from '../envelope.ts';
import { ExtendedAppError } from '../errors.ts';
import type { ApiInstance } from '../instance.ts';
import { runProbes } from './readiness.ts';

const PROBE_TIMEOUT_MS = 2_000;

/** `GET {site}/readyz`: 200, else 503 with the names of missing dependencies. Requests share probes for a second. */
export function readyzGet(app: ApiInstance, { config, probes }: ApiDeps): void {
  const ofInstance = instanceHeaders(config.instanceId);
  const cache = createCache({ ttl: 1, storage: { type: 'memory' } }).define('run', () =>
    runProbes(probes, PROBE_TIMEOUT_MS),
  );
  app.get(
    '/readyz',
    { schema: { hide: true }, config: { rateGroup: 'none', isProbe: true } },
    async (request, reply) => {
      reply.headers(ofInstance);
      const checks = await cache.run();
      const down = Object.keys(checks).filter((name) => checks[name]?.status === 'down');
      if (down.length === 0) return success(request, { status: 'ready', checks });
      throw new ExtendedAppError(
        'service_unavailable',
        `not ready: ${down.join(', ')}`,
        { checks },
        { retryAfterSeconds: 5 },
      );
    },
  );
}
