import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createBoundedServer, type ServerBounds } from './bounded-server.ts';
import { instanceHeaders } from './instance-header.ts';
import { createNeeds, type Need } from './needs.ts';
import type { Readiness } from './readiness.ts';

export interface HealthLog {
  error(fields: { readonly err: unknown; readonly url: string | undefined }, message: string): void;
}

export interface HealthServerDeps {
  readonly host: string;
  /** 0 = free. */
  readonly port: number;
  readonly instanceId: string | null;
  readonly readiness: () => Promise<Readiness>;
  /** Prometheus text format. */
  readonly metrics: () => Promise<string>;
  readonly logger: HealthLog;
}

export interface HealthServer {
  readonly port: number;
  close(): Promise<void>;
}

/** Limits that keep a connection open between two scrapes. */
const BOUNDS: ServerBounds = { connections: 200, headersMs: 5_000, requestMs: 10_000, idleMs: 70_000 };

/**
 * `/healthz` (alive), `/readyz` (200, or 503 with reasons; with what needs a person), `/metrics`. Start it first: probes
 * see "not ready", no refused connection.
 */
export async function startHealthServer(deps: HealthServerDeps): Promise<HealthServer> {
  const ofInstance = new Map(Object.entries(instanceHeaders(deps.instanceId)));
  const needs = createNeeds(() => deps.metrics());
  const server = createBoundedServer(BOUNDS, (request, response) => {
    response.setHeaders(ofInstance);
    answer({ ...deps, needs }, request, response).catch((error: unknown) => {
      deps.logger.error({ err: error, url: request.url }, 'a health request failed');
      if (!response.headersSent) send(response, 500, 'text/plain', 'internal error; see the log');
      else response.destroy();
    });
  });
  server.listen(deps.port, deps.host);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error(`health server has no port: ${address}`);
  return { port: address.port, close: () => closeServer(server) };
}

type Answers = HealthServerDeps & { readonly needs: () => readonly Need[] };

async function answer(deps: Answers, request: IncomingMessage, response: ServerResponse): Promise<void> {
  switch (request.url?.split('?', 1)[0]) {
    case '/healthz':
      return send(response, 200, 'application/json', '{"alive":true}');
    case '/readyz': {
      const readiness = await deps.readiness();
      const body = { ...readiness, needs: deps.needs() };
      return send(response, readiness.ready ? 200 : 503, 'application/json', JSON.stringify(body));
    }
    case '/metrics':
      return send(response, 200, 'text/plain; version=0.0.4; charset=utf-8', await deps.metrics());
    default:
      return send(response, 404, 'text/plain', 'paths: /healthz /readyz /metrics');
  }
}

function send(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body);
}

async function closeServer(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
