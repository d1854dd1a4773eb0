import type { FastifyRequest } from 'fastify';
import { AppError } from '../../domain/errors.ts';
import type { ApiInstance } from '../instance.ts';
import { isLoopbackAddress, isLoopbackName } from '../../config/loopback.ts';

/** Headers that only a proxy adds: behind one, a peer on this machine is not the caller. */
const FORWARDING_HEADERS = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'];

const HTTP_PORT = 80;

/**
 * Lets only programs of this machine in. A web page that a person has open here is a program of this machine too, so the
 * name it asked for (DNS rebinding) and the site it comes from are checked as well. Runs before the body is read.
 */
export function guardDesk(app: ApiInstance): void {
  app.addHook('onRequest', async (request) => {
    const reason = refusal(request);
    if (reason !== null) throw new AppError('forbidden', `the local desk is refused: ${reason}`);
  });
}

/** Why a request may not use the desk, or null. The peer is the socket's, whatever proxies the API trusts elsewhere. */
function refusal({ socket, headers }: FastifyRequest): string | null {
  if (!isLoopbackAddress(socket.remoteAddress ?? '')) return 'it serves only this machine';
  const forwarding = FORWARDING_HEADERS.find((name) => headers[name] !== undefined);
  if (forwarding !== undefined) return `it serves no proxy, and ${forwarding} says that there is one`;
  const authority = headers.host ?? '';
  if (!isOwnAuthority(authority, socket.localPort)) return `Host "${authority.slice(0, 100)}" is not this server`;
  const { origin } = headers;
  if (origin !== undefined && !isOwnOrigin(origin, socket.localPort)) {
    return `it serves no page of ${origin.slice(0, 100)}`;
  }
  return null;
}

/** True for a loopback name with the port that the request arrived at. */
function isOwnAuthority(authority: string, port: number | undefined): boolean {
  const match = /^(localhost|127\.0\.0\.1|\[::1\])(?::(\d{1,5}))?$/i.exec(authority);
  return match !== null && isLoopbackName(match[1] ?? '') && Number(match[2] ?? HTTP_PORT) === port;
}

function isOwnOrigin(origin: string, port: number | undefined): boolean {
  return origin.startsWith('http://') && isOwnAuthority(origin.slice('http://'.length), port);
}
