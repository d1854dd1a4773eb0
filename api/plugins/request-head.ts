import type { Socket } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { MalformedError } from '../errors.ts';
import type { ApiInstance } from '../instance.ts';
import { answerTunnel } from './client-error.ts';

/**
 * Requires exactly one Host, as HTTP/1.1 does (RFC 9112 3.2). Node would answer outside of the error envelope, and
 * accept the first of two.
 */
export function registerRequestHead(app: ApiInstance): void {
  app.server.on('connect', (_request: unknown, socket: Socket) => {
    answerTunnel(socket);
  });
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  app.addHook('onRequest', async (request) => {
    const fault = faultOf(request);
    if (fault !== null) throw new MalformedError(fault);
  });
}

function faultOf({ raw, headers }: FastifyRequest): string | null {
  const hosts = raw.rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length;
  if (hosts > 1) return `the request has ${hosts} Host headers`;
  if (hosts === 0 && raw.httpVersion === '1.1') return 'the request has no Host header';
  const { expect } = headers;
  if (expect !== undefined && expect.toLowerCase() !== '100-continue')
    return `the only Expect header that is understood is "100-continue", got "${expect.slice(0, 60)}"`;
  return null;
}
