import type { OpenSpan, Traces } from '../../observe/traces/traces.ts';
import type { ApiInstance } from '../instance.ts';
import { addLogFields } from './logging.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The span of this request; null where it is not traced. */
    span: OpenSpan | null;
  }
}

/**
 * Begins a trace for each request that does something, once it is let in: what the rate limit or a switch refuses is counted, and
 * costs no more. Reads are counted too: as many as they are, they would crowd the others out. What a client says of a trace of its own is
 * not followed: anybody could write into the traces of others.
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
  // Not before the body is read: what follows its last bytes would not run in the span.
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
