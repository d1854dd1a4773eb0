import type { FastifyRequest } from 'fastify';
import { BASE_PATH } from '../base-path.ts';
import { createReadCache } from '../cache/read-cache.ts';
import type { ApiConfig } from '../../config/api.ts';
import type { ApiDeps } from '../deps.ts';
import { type Features, featuresOf } from '../features.ts';
import type { ApiInstance } from '../instance.ts';
import { withComponents } from './components.ts';
import { fitDocument } from './document.ts';
import { readExamples } from './examples.ts';

/** Short: a switch shows here as soon as elsewhere. */
const LIFE = { memorySeconds: 1, seconds: 1, staleSeconds: 1, entries: 50 };

/** `coarse` follows the specification; `full` has every field. */
const DOCUMENTS = { '/openapi.json': 'coarse', '/openapi.full.json': 'full' } as const;

type Detail = (typeof DOCUMENTS)[keyof typeof DOCUMENTS];

interface Asked {
  readonly origin: string;
  readonly features: Features;
  readonly detail: Detail;
}

export function openapiGet(app: ApiInstance, { switches, config }: ApiDeps): void {
  const examples = readExamples();
  const cache = createReadCache(LIFE, async (asked: Asked) => ({
    document: withComponents(fitDocument(toJson(app.swagger()), { ...asked, basePath: BASE_PATH, examples })),
  }));
  for (const [path, detail] of Object.entries(DOCUMENTS)) {
    app.get(path, { schema: { hide: true } }, async (request, reply) => {
      void reply.header('vary', 'host, x-forwarded-host, x-forwarded-proto');
      return cache.send(request, reply, {
        origin: originOf(request, config),
        features: featuresOf(await switches.read()),
        detail,
      });
    });
  }
}

type OriginConfig = Pick<ApiConfig, 'siteUrl' | 'trustedProxies' | 'publicHosts'>;

/**
 * Returns a configured host behind a proxy: a shared cache could serve a client's X-Forwarded-Host to others. Otherwise
 * the site.
 */
function originOf(request: FastifyRequest, { siteUrl, trustedProxies, publicHosts }: OriginConfig): string {
  const isPlain = /^[A-Za-z0-9.-]+(:\d{1,5})?$|^\[[0-9a-fA-F:]+\](:\d{1,5})?$/.test(request.host);
  const isBelieved = isNobody(trustedProxies) || publicHosts.includes(request.host.toLowerCase());
  return isPlain && isBelieved ? `${request.protocol}://${request.host}` : siteUrl;
}

function isNobody(proxies: ApiConfig['trustedProxies']): boolean {
  return typeof proxies === 'number' ? proxies === 0 : proxies.length === 0;
}

function toJson(document: object): Record<string, unknown> {
  return { ...document };
}
