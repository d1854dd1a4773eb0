// oxlint-disable-next-line house/bounded-server
import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http';
import type { Socket } from 'node:net';

export interface ServerBounds {
  /** Further ones are closed. */
  readonly connections: number;
  readonly headersMs: number;
  readonly requestMs: number;
  /** Longest idle connection, ms. */
  readonly idleMs: number;
}

/** Node's 30 s would add to each limit. */
const CHECKED_EVERY_MS = 2_000;

/** Time for a refused client to close, ms. */
const LINGER_MS = 1_000;

export function optionsOf({ headersMs, requestMs, idleMs }: ServerBounds) {
  return {
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    keepAliveTimeout: idleMs,
    connectionsCheckingInterval: CHECKED_EVERY_MS,
  } satisfies ServerOptions;
}

export function boundConnections(server: Pick<Server, 'maxConnections'>, { connections }: ServerBounds): void {
  server.maxConnections = connections;
}

/** Non-HTTP and slow connections are closed. Only this function and Fastify create HTTP servers. */
export function createBoundedServer(bounds: ServerBounds, listener?: RequestListener): Server {
  const server = createServer(optionsOf(bounds), listener);
  boundConnections(server, bounds);
  server.on('clientError', (_error, socket: Socket) => {
    endSocket(socket, socket.writable ? 'HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n' : undefined);
  });
  return server;
}

/**
 * `end` closes one half; a peer could hold the other open. A connection that asked nothing gets no last bytes: a pool of
 * connections opens some in advance, and would take them for the response to its next request.
 */
export function endSocket(socket: Socket, lastBytes?: string): void {
  if (lastBytes === undefined || socket.bytesRead === 0) {
    socket.destroy();
    return;
  }
  const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once('close', () => clearTimeout(timer));
  // oxlint-disable-next-line house/end-socket
  socket.end(lastBytes);
}
