import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';

/**
 * Returns the address from a trusted proxy, else the socket's. It ignores forwarded text that is no IP address: each
 * would count as another client. This is the only reader of `request.ip`.
 */
export function peerAddressOf(request: FastifyRequest): string {
  // oxlint-disable-next-line house/peer-address
  const { ip } = request;
  return isIP(ip) === 0 ? (request.socket.remoteAddress ?? '') : ip;
}
