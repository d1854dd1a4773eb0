import type { FastifyRequest } from 'fastify';
import { BASE_PATH } from '../base-path.ts';
import { createReadCache } from '../cache/read-cache.ts';
import type { ApiConfig } from '../../config/api.ts';
import type { ApiDeps } from '../deps.ts';
import { type Features, featuresOf } from '../features.ts';
import type { ApiInstance } from '../instance.ts';
import { fitDocument } from './document.ts';

/** A switch shows in the document as soon as it does anywhere. In seconds; shared caches may keep it as long. */
const LIFE = { memorySeconds: 1, seconds: 1, staleSeconds: 1, entries: 50 };

/** `GET /openapi.json`: the API as it is at this moment, without what is switched off. Not in the envelope: it is a document. */
export function openapiGet(app: ApiInstance, { switches, config }: ApiDeps): void {
  const cache = createReadCache(LIFE, async ({ origin, features }: { origin: string; features: Features }) => ({
    document: fitDocument(toJson(app.swagger()), { origin, basePath: BASE_PATH, features, detail: 'coarse' }),
  }));
  app.get('/openapi.json', { schema: { hide: true } }, async (request, reply) => {
    void reply.header('vary', 'host, x-forwarded-host, x-forwarded-proto');
    return cache.send(request, reply, {
      origin: originOf(request, config),
      features: featuresOf(await switches.read()),
    });
  });
}

type OriginConfig = Pick<ApiConfig, 'siteUrl' | 'trustedProxies' | 'publicHosts'>;

/**
 * The origin the client asked. Behind a proxy only a host that is configured: proxies pass on what clients write into
 * X-Forwarded-Host, and a shared cache could keep that for others. Else the site, also where the Host header is not a plain host.
 */
function originOf(request: FastifyRequest, { siteUrl, trustedProxies, publicHosts }: OriginConfig): string {
  const isPlain = /^[A-Za-z0-9.-]+(:\d{1,5})?$|^\[[0-9a-fA-F:]+\](:\d{1,5})?$/.test(request.host);
  const isBelieved = trustedProxies.length === 0 || publicHosts.includes(request.host.toLowerCase());
  return isPlain && isBelieved ? `${request.protocol}://${request.host}` : siteUrl;
}

function toJson(document: object): Record<string, unknown> {
  return { ...document };
}
