import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** First 24 characters of this process's ids; a number follows, because drawing each id anew costs more than the rest of a 304. */
const PREFIX = randomUUID().slice(0, 24);
let issued = 0;

/** A new request id: a UUID's form, unlike all others of this and any other process. */
export function newRequestId(): string {
  return PREFIX + (issued++).toString(16).padStart(12, '0');
}

/** The client's own request id when it is harmless in logs and headers, else a new one. */
export function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(given) ? given : newRequestId();
}
