import type { FastifyRequest } from 'fastify';
import { BASE_PATH } from '../base-path.ts';
import { createReadCache } from '../cache/read-cache.ts';
import type { ApiConfig } from '../../config/api.ts';
import type { ApiDeps } from '../deps.ts';
import { type Features, featuresOf } from '../features.ts';
import type { ApiInstance } from '../instance.ts';
import { fitDocument } from './document.ts';
import { readExamples } from './examples.ts';

/** A switch shows in the document as soon as it does anywhere. In seconds; shared caches may keep it as long. */
const LIFE = { memorySeconds: 1, seconds: 1, staleSeconds: 1, entries: 50 };

/** Documents by their path: what the specification asks for, and one with every field of every answer. */
const DOCUMENTS = { '/openapi.json': 'coarse', '/openapi.full.json': 'full' } as const;

type Detail = (typeof DOCUMENTS)[keyof typeof DOCUMENTS];

/** What a document depends on. */
interface Asked {
  readonly origin: string;
  readonly features: Features;
  readonly detail: Detail;
}

/**
 * `GET /openapi.json` and `GET /openapi.full.json`: the API as it is at this moment, without what is switched off. Not in the
 * envelope: they are documents.
 */
export function openapiGet(app: ApiInstance, { switches, config }: ApiDeps): void {
  const examples = readExamples();
  const cache = createReadCache(LIFE, async (asked: Asked) => ({
    document: fitDocument(toJson(app.swagger()), { ...asked, basePath: BASE_PATH, examples }),
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
