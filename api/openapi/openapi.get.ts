import { type FastifyRequest } from 'fastify';
import { BASE_PATH } from '../base-path.ts';
import { type ApiDeps } from '../deps.ts';
import { featuresOf } from '../features.ts';
import { type ApiInstance } from '../instance.ts';
import { fitDocument } from './document.ts';

/** `GET /openapi.json`: the API as it is at this moment, without what is switched off. Not in the envelope: it is a document. */
export function openapiGet(app: ApiInstance, { switches, config }: ApiDeps): void {
  app.get('/openapi.json', { schema: { hide: true } }, async (request, reply) => {
    const features = featuresOf(await switches.read());
    void reply.header('vary', 'host, x-forwarded-host, x-forwarded-proto');
    return fitDocument(toJson(app.swagger()), {
      origin: originOf(request, config.siteUrl),
      basePath: BASE_PATH,
      features,
    });
  });
}

/** The origin the client asked; the configured site where the Host header is missing or not a plain host. */
function originOf(request: FastifyRequest, siteUrl: string): string {
  return /^[A-Za-z0-9.-]+(:\d{1,5})?$|^\[[0-9a-fA-F:]+\](:\d{1,5})?$/.test(request.host)
    ? `${request.protocol}://${request.host}`
    : siteUrl;
}

function toJson(document: object): Record<string, unknown> {
  return { ...document };
}
