import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** The client's own request id when it is harmless in logs and headers, else a new one. */
export function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(given) ? given : randomUUID();
}
