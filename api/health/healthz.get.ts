import { instanceHeaders } from '../../observe/instance-header.ts';
import type { ApiDeps } from '../deps.ts';
import { success } from '../envelope.ts';
import type { ApiInstance } from '../instance.ts';

/** `GET {site}/healthz`: the process responds. A dependency's failure restarts no process. */
export function healthzGet(app: ApiInstance, { config }: Pick<ApiDeps, 'config'>): void {
  const ofInstance = instanceHeaders(config.instanceId);
  app.get(
    '/healthz',
    { schema: { hide: true }, config: { rateGroup: 'none', isProbe: true } },
    async (request, reply) => {
      reply.headers(ofInstance);
      return success(request, { status: 'up' });
    },
  );
}
