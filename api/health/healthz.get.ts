import { success } from '../envelope.ts';
import type { ApiInstance } from '../instance.ts';

/** `GET {site}/healthz`: the process runs and answers. It asks nothing else, so that a dependency's failure restarts nobody. */
export function healthzGet(app: ApiInstance): void {
  app.get('/healthz', { schema: { hide: true }, config: { rateGroup: 'none' } }, async (request) =>
    success(request, { status: 'up' }),
  );
}
