import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { isLoopbackAddress, isLoopbackName } from '../../config/loopback.ts';

/** Headers that only a proxy adds: behind one, a peer on this machine is not the caller. */
const FORWARDING_HEADERS = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'];

const HTTP_PORT = 80;

/** Callers that are served; in a container also those of its network. */
export type Callers = 'this machine' | 'this network';

/** A non-loopback listener serves its network too. */
export function callersAt(host: string | undefined): Callers {
  return host === undefined || isLoopbackName(host) || isLoopbackAddress(host) ? 'this machine' : 'this network';
}

/**
 * Null if it may. A page in a browser here sends requests from this machine too: so the requested name (DNS rebinding),
 * the page's site and the body's type are checked. The peer is the socket's, whatever proxies are trusted elsewhere.
 */
export function refusalOf({ socket, headers, method }: IncomingMessage, callers: Callers): string | null {
  if (callers === 'this machine' && !isLoopbackAddress(socket.remoteAddress ?? ''))
    return 'it serves only this machine';
  const forwarding = FORWARDING_HEADERS.find((name) => headers[name] !== undefined);
  if (forwarding !== undefined) return `it serves no proxy, and ${forwarding} says that there is one`;
  const isOwn = (authority: string) =>
    callers === 'this machine' ? isOwnAuthority(authority, socket.localPort) : isLocalAuthority(authority);
  const { host = '', origin } = headers;
  if (!isOwn(host)) return `Host "${host.slice(0, 100)}" is not this server`;
  if (origin !== undefined && (origin !== `http://${host}` || !isOwn(origin.slice('http://'.length))))
    return `it serves no page of ${origin.slice(0, 100)}`;
  if (method === 'POST' && hasBody(headers) && !isJson(headers['content-type']))
    return 'a body must be sent as content-type application/json';
  return null;
}

function hasBody(headers: IncomingMessage['headers']): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function isJson(type = ''): boolean {
  return type.split(';', 1)[0]?.trim().toLowerCase() === 'application/json';
}

function isOwnAuthority(authority: string, port: number | undefined): boolean {
  const match = /^(localhost|127\.0\.0\.1|\[::1\])(?::(\d{1,5}))?$/i.exec(authority);
  return match !== null && isLoopbackName(match[1] ?? '') && Number(match[2] ?? HTTP_PORT) === port;
}

/** An address, or a name without a dot: no stranger's page has one. */
function isLocalAuthority(authority: string): boolean {
  const [, name = ''] = /^(\[[^\]]+\]|[^:]+)(?::\d{1,5})?$/.exec(authority) ?? [];
  return isIP(name.replace(/^\[|\]$/g, '')) !== 0 || /^[a-z0-9-]+$/i.test(name);
}
