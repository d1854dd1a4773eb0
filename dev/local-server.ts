import type { IncomingMessage, RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type Callers, refusalOf } from './desk/refusal.ts';
import { instanceHeaders } from '../observe/instance-header.ts';
import { createBoundedServer, endSocket, type ServerBounds } from '../observe/bounded-server.ts';

/** Tests hold hundreds of connections, seeding sends megabytes. */
const BOUNDS: ServerBounds = { connections: 4_000, headersMs: 10_000, requestMs: 120_000, idleMs: 75_000 };

export type UpgradeListener = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

export interface LocalHandlers {
  /** Of every response; absent: none. */
  readonly instanceId?: string | undefined;
  readonly request?: RequestListener;
  readonly upgrade?: UpgradeListener;
}

/**
 * Serves programs of this machine or a container network: every local listener is made here, so that no page in a
 * browser can use them.
 */
export function createLocalServer(callers: Callers, handlers: LocalHandlers): Server {
  const { request: onRequest, upgrade: onUpgrade, instanceId = null } = handlers;
  const ofInstance = new Map(Object.entries(instanceHeaders(instanceId)));
  const server = createBoundedServer(BOUNDS, (request, response) => {
    response.setHeaders(ofInstance);
    const reason = refusalOf(request, callers);
    if (reason === null && onRequest !== undefined) {
      onRequest(request, response);
      return;
    }
    const error = reason ?? 'this port takes websockets';
    response.writeHead(reason === null ? 426 : 403, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error }));
  });
  if (onUpgrade !== undefined) server.on('upgrade', guarded(callers, onUpgrade));
  return server;
}

function guarded(callers: Callers, onUpgrade: UpgradeListener) {
  return (request: IncomingMessage, socket: Socket, head: Buffer): void => {
    if (refusalOf(request, callers) === null) onUpgrade(request, socket, head);
    else endSocket(socket, 'HTTP/1.1 403 Forbidden\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
  };
}
