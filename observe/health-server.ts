import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { Readiness } from './readiness.ts';

/** Where a request that failed is noted. */
export interface HealthLog {
  error(fields: { readonly err: unknown; readonly url: string | undefined }, message: string): void;
}

/** What the server tells. It is for probes and Prometheus inside the deployment, not for the public. */
export interface HealthServerDeps {
  readonly host: string;
  /** 0 = a free port. */
  readonly port: number;
  readonly readiness: () => Promise<Readiness>;
  /** Prometheus text format. */
  readonly metrics: () => Promise<string>;
  readonly logger: HealthLog;
}

/** A listening health server. */
export interface HealthServer {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Serves `/healthz` (the process lives), `/readyz` (200 when every check passes, else 503 with the reasons) and `/metrics`.
 * Started before anything else of a process, a probe sees "not ready" instead of a refused connection.
 */
export async function startHealthServer(deps: HealthServerDeps): Promise<HealthServer> {
  const server = createServer((request, response) => {
    answer(deps, request, response).catch((error: unknown) => {
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

async function answer(deps: HealthServerDeps, request: IncomingMessage, response: ServerResponse): Promise<void> {
  switch (request.url?.split('?', 1)[0]) {
    case '/healthz':
      return send(response, 200, 'application/json', '{"alive":true}');
    case '/readyz': {
      const readiness = await deps.readiness();
      return send(response, readiness.ready ? 200 : 503, 'application/json', JSON.stringify(readiness));
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

async function closeServer(server: ReturnType<typeof createServer>): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
