import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** A random id per request costs more than the rest of a 304. */
const PREFIX = randomUUID().slice(0, 24);
let issued = 0;

/** Returns a UUID-shaped id, unique across processes. */
export function newRequestId(): string {
  return PREFIX + (issued++).toString(16).padStart(12, '0');
}

/** The client's if safe in logs and headers. */
export function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(given) ? given : newRequestId();
}
