import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Fastify, { LogController } from 'fastify';
import { LOGO_MAX_BYTES } from '../domain/token-facts.ts';
import { logoGet } from './assets/logo.get.ts';
import { totalAssetsGet } from './assets/total-assets.get.ts';
import { BASE_PATH } from './base-path.ts';
import type { ApiDeps } from './deps.ts';
import { healthzGet } from './health/healthz.get.ts';
import { readyzGet } from './health/readyz.get.ts';
import type { ApiInstance } from './instance.ts';
import { registerRequestMeters } from './metrics/request-meters.ts';
import { registerDesk } from './desk/desk.ts';
import { answerMalformedHttp } from './plugins/client-error.ts';
import { registerClosing } from './plugins/closing.ts';
import { registerCors } from './plugins/cors.ts';
import { registerErrorHandler } from './plugins/error-handler.ts';
import { frameworkErrors } from './plugins/framework-errors.ts';
import { registerHeaders } from './plugins/headers.ts';
import { registerKnownMethods } from './plugins/known-methods.ts';
import { createRequestLog, registerRequestLog } from './plugins/logging.ts';
import { registerNulCharacters } from './plugins/nul-characters.ts';
import { registerOpenApi } from './plugins/openapi.ts';
import { registerRateLimit } from './plugins/rate-limit.ts';
import { registerTraces } from './plugins/traces.ts';
import { registerValidation } from './plugins/validation.ts';
import { llmsGet } from './reference/llms.get.ts';
import { registerReference } from './reference/reference.ts';
import { requestIdOf } from './request-id.ts';
import { registerSite } from './site/site.ts';
import { storedFileGet } from './store/file.get.ts';
import { versionedEndpoints } from './endpoints.ts';

/** A logo of the greatest size as base64 data URL, and room for the rest of a launch (quote, transaction, names, links). */
const BODY_LIMIT_BYTES = Math.ceil((LOGO_MAX_BYTES * 4) / 3) + 64 * 1024;

/** Longest that a request may take to arrive, in ms: a slow sender must not hold a connection for ever. */
const REQUEST_TIMEOUT_MS = 20_000;

/** Longest that the headers of a request may take, in ms. */
const HEADERS_TIMEOUT_MS = 10_000;

/**
 * Builds the API on its dependencies, without listening: `main.ts` listens, tests inject. The order of the plugins matters:
 * an answer has its headers first, then a client is counted, then its method is looked at. `watch` is called before any endpoint
 * is registered: tests look at what is answered.
 */
export async function buildApp(deps: ApiDeps, watch?: (app: ApiInstance) => void): Promise<ApiInstance> {
  const app = createInstance(deps);
  registerErrorHandler(app);
  registerValidation(app);
  registerNulCharacters(app);
  registerRequestLog(app, createRequestLog(deps.logger));
  if (deps.requestMeters) registerRequestMeters(app, deps.requestMeters);
  registerClosing(app);
  registerHeaders(app, deps.config.siteUrl);
  await registerCors(app);
  await registerRateLimit(app, deps.config.rateLimits, deps.rateStore);
  registerKnownMethods(app);
  if (deps.traces) registerTraces(app, deps.traces);
  await registerOpenApi(app);
  watch?.(app);
  healthzGet(app);
  readyzGet(app, deps);
  storedFileGet(app, deps);
  logoGet(app);
  totalAssetsGet(app, deps);
  registerReference(app);
  llmsGet(app, deps.config);
  await registerDesk(app, deps);
  await registerSite(app, deps);
  await app.register(
    async (versioned: ApiInstance) => {
      for (const endpoint of versionedEndpoints) endpoint(versioned, deps);
    },
    { prefix: BASE_PATH },
  );
  return app;
}

function createInstance({ config, logger }: ApiDeps): ApiInstance {
  const app = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    requestIdHeader: false,
    genReqId: requestIdOf,
    trustProxy: config.trustedProxies.length > 0 ? [...config.trustedProxies] : false,
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    // Longer than the longest answer, a submit that waits for its outcome.
    connectionTimeout: config.submitWaitMs + 30_000,
    // Longer than the 60 s of common load balancers, so that they and not we close an idle connection.
    keepAliveTimeout: 72_000,
    http: { headersTimeout: HEADERS_TIMEOUT_MS },
    forceCloseConnections: 'idle',
    // Fastify's own answer while closing is not our envelope; requests that still arrive are served.
    return503OnClosing: false,
    frameworkErrors: frameworkErrors(config.siteUrl),
    clientErrorHandler: answerMalformedHttp,
    routerOptions: { maxParamLength: 200 },
  }).withTypeProvider<TypeBoxTypeProvider>();
  // JSON only: Fastify would also take text/plain.
  app.removeContentTypeParser('text/plain');
  return app;
}
