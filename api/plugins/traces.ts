import type { OpenSpan, Traces } from '../../observe/traces/traces.ts';
import type { ApiInstance } from '../instance.ts';
import { addLogFields } from './logging.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Null if not traced. */
    span: OpenSpan | null;
  }
}

/**
 * Traces admitted POST requests. Reads would crowd out others. A client's trace headers are ignored: it could write
 * into others' traces.
 */
export function registerTraces(app: ApiInstance, traces: Traces): void {
  app.decorateRequest('span', null);
  app.addHook('preParsing', async (request) => {
    const { method, id: requestId, routeOptions } = request;
    if (method !== 'POST' || routeOptions.url === undefined) return;
    const fields = { 'http.request.method': method, 'http.route': routeOptions.url, requestId };
    request.span = traces.begin(`${method} ${routeOptions.url}`, { kind: 'server', fields });
    addLogFields(request, { traceId: request.span.at.traceId });
  });
  // Not before the body is read: later code would not run in the span.
  app.addHook('preHandler', (request, _reply, done) => {
    if (request.span) request.span.run(done);
    else done();
  });
  app.addHook('onResponse', async (request, { statusCode }) => {
    const { span, logFields, observed } = request;
    span?.set({ ...logFields, outcome: observed?.outcome ?? 'ok', 'http.response.status_code': statusCode });
    span?.end(statusCode >= 500 ? String(statusCode) : undefined);
  });
}
