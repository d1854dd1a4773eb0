import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Fastify, { LogController } from 'fastify';
import type { TrustedProxies } from '../config/trusted-proxies.ts';
import { LOGO_MAX_BYTES } from '../domain/token-facts.ts';
import { logoGet } from './assets/logo.get.ts';
import { totalAssetsGet } from './assets/total-assets.get.ts';
import { boundConnections, optionsOf, type ServerBounds } from '../observe/bounded-server.ts';
import { BASE_PATH } from './base-path.ts';
import type { ApiDeps } from './deps.ts';
import { STREAM_SETTINGS } from './events/stream-settings.ts';
import { healthzGet } from './health/healthz.get.ts';
import { readyzGet } from './health/readyz.get.ts';
import type { ApiInstance } from './instance.ts';
import { registerRequestMeters } from './metrics/request-meters.ts';
import { answerMalformedHttp } from './plugins/client-error.ts';
import { registerClosing } from './plugins/closing.ts';
import { registerCors } from './plugins/cors.ts';
import { registerErrorHandler } from './plugins/error-handler.ts';
import { frameworkErrors } from './plugins/framework-errors.ts';
import { registerHeaders } from './plugins/headers.ts';
import { registerJsonBody } from './plugins/json-body.ts';
import { createKnownPaths, type KnownPaths, registerKnownMethods, registerNotFound } from './plugins/known-methods.ts';
import { createRequestLog, registerRequestLog } from './plugins/logging.ts';
import { registerNulCharacters } from './plugins/nul-characters.ts';
import { registerOpenApi } from './plugins/openapi.ts';
import { registerRateLimit } from './plugins/rate-limit.ts';
import { plainUrl } from './plugins/request-path.ts';
import { registerRequestHead } from './plugins/request-head.ts';
import { registerSharedAnswers } from './plugins/shared-answers.ts';
import { registerSlowClients, SLOW_CLIENTS } from './plugins/slow-clients.ts';
import { registerTraces } from './plugins/traces.ts';
import { registerHangUps, registerTurns, TURNS } from './plugins/turns.ts';
import { registerValidation } from './plugins/validation.ts';
import { documentGet } from './documents/document.get.ts';
import { wellKnownGet } from './platform/well-known.get.ts';
import { llmsGet } from './reference/llms.get.ts';
import { registerReference } from './reference/reference.ts';
import { requestIdOf } from './request-id.ts';
import { clientOf, registerClientPackage } from './site/client.ts';
import { registerSite } from './site/site.ts';
import { storedFileGet } from './store/file.get.ts';
import { createFeesReader } from './claim/fees-reader.ts';
import { versionedEndpoints } from './endpoints.ts';

/** A logo of maximum size as data URL, plus quote, transaction, names and links. */
const BODY_LIMIT_BYTES = Math.ceil((LOGO_MAX_BYTES * 4) / 3) + 64 * 1024;

/**
 * Connections for requests. Two processes take all of the proxy's: a connection there is held until a client has read its
 * response. Work and unsent bytes have bounds of their own (`plugins/turns.ts`, `plugins/slow-clients.ts`).
 */
export const REQUEST_CONNECTIONS = 10_000;

/** Limits of a server without a proxy; a proxy is stricter. */
export const BOUNDS: ServerBounds = {
  // A stream is held for minutes and must take no place of a request.
  connections: REQUEST_CONNECTIONS + STREAM_SETTINGS.limits.inAll,
  headersMs: 10_000,
  requestMs: 20_000,
  // Longer than common load balancers' 60 s, so that they close first.
  idleMs: 72_000,
};

/**
 * Builds the app without listening: `main.ts` listens, tests inject. Plugin order matters: headers, rate limits,
 * methods. `watch` runs before any endpoint is registered.
 */
export async function buildApp(deps: ApiDeps, watch?: (app: ApiInstance) => void): Promise<ApiInstance> {
  const paths = createKnownPaths();
  const app = createInstance(deps, paths);
  registerErrorHandler(app);
  registerJsonBody(app);
  registerValidation(app);
  registerNulCharacters(app);
  registerRequestLog(app, createRequestLog(deps.logger));
  if (deps.requestMeters) registerRequestMeters(app, deps.requestMeters);
  registerClosing(app);
  registerHeaders(app, deps.config.siteUrl);
  await registerCors(app, deps.extension?.path);
  registerTurns(app, deps.turns ?? TURNS);
  // After it: who waits for a turn is not slow.
  registerSlowClients(app, deps.slowClients ?? SLOW_CLIENTS);
  await registerRateLimit(app, deps.config.rateLimits, deps.rateStore, paths);
  registerSharedAnswers(app, deps.config.hasSharedCache);
  registerRequestHead(app);
  registerKnownMethods(app, paths);
  if (deps.traces) registerTraces(app, deps.traces);
  registerHangUps(app);
  await registerOpenApi(app);
  watch?.(app);
  healthzGet(app, deps);
  readyzGet(app, deps);
  storedFileGet(app, deps);
  documentGet(app, deps);
  wellKnownGet(app, deps);
  logoGet(app);
  totalAssetsGet(app, deps);
  registerReference(app);
  const client = await clientOf(deps);
  llmsGet(app, deps.config, client);
  if (client !== null) registerClientPackage(app, deps, client);
  await deps.extension?.register(app, deps);
  registerNotFound(app, await registerSite(app, deps, client));
  await app.register(
    async (versioned: ApiInstance) => {
      const endpointDeps = { ...deps, fees: createFeesReader(deps) };
      for (const endpoint of versionedEndpoints) endpoint(versioned, endpointDeps);
    },
    { prefix: BASE_PATH },
  );
  return app;
}

function createInstance({ config, logger, extension }: ApiDeps, paths: KnownPaths): ApiInstance {
  const app = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    requestIdHeader: false,
    genReqId: requestIdOf,
    trustProxy: trustProxyOf(config.trustedProxies),
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: BOUNDS.requestMs,
    keepAliveTimeout: BOUNDS.idleMs,
    // Longer than a submit that waits.
    connectionTimeout: config.submitWaitMs + 30_000,
    // request-head.ts rejects a missing Host in the error envelope.
    http: { ...optionsOf(BOUNDS), requireHostHeader: false },
    forceCloseConnections: 'idle',
    // Fastify's own response lacks the envelope; late requests are served.
    return503OnClosing: false,
    frameworkErrors: frameworkErrors(config.siteUrl, extension?.path),
    clientErrorHandler: answerMalformedHttp,
    routerOptions: { maxParamLength: 200 },
    rewriteUrl: ({ url = '/' }) => plainUrl(url, paths),
  }).withTypeProvider<TypeBoxTypeProvider>();
  boundConnections(app.server, BOUNDS);
  return app;
}

function trustProxyOf(proxies: TrustedProxies): string[] | false | ((address: string, hop: number) => boolean) {
  if (typeof proxies === 'number') return (_address, hop) => hop < proxies;
  return proxies.length > 0 ? [...proxies] : false;
}
