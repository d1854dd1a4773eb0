import type { Socket } from 'node:net';
import type { ApiInstance } from '../instance.ts';

/** How long a client may send its request or read its response once shutdown started, ms. */
const LINGER_MS = 3_000;

/** How often that is checked, ms. */
const CHECKED_EVERY_MS = 500;

/**
 * Responses close their connection: a busy one would be kept alive. A connection that waits for its client (a slow
 * request, an unread response) is destroyed. A handler has the whole grace time.
 */
export function registerClosing(app: ApiInstance): void {
  /** Open connections, with the time since which each waits for its client; null while a handler works for it. */
  const waitingSince = new Map<Socket, number | null>();
  let closing = false;

  const note = (socket: Socket, since: number | null) => {
    // Not the socket of an injected request, which never closes.
    if (waitingSince.has(socket)) waitingSince.set(socket, since);
  };

  app.server.on('connection', (socket: Socket) => {
    waitingSince.set(socket, Date.now());
    socket.once('close', () => waitingSince.delete(socket));
  });
  // The request has arrived whole.
  app.addHook('preValidation', async ({ raw }) => {
    note(raw.socket, null);
  });
  app.addHook('onSend', async ({ raw }, reply, payload) => {
    note(raw.socket, Date.now());
    if (closing) void reply.header('connection', 'close');
    return payload;
  });
  app.addHook('preClose', async () => {
    closing = true;
    const began = Date.now();
    const timer = setInterval(() => {
      const latest = Date.now() - LINGER_MS;
      if (began > latest) return;
      for (const [socket, since] of waitingSince) if (since !== null && since <= latest) socket.destroy();
    }, CHECKED_EVERY_MS).unref();
    app.server.once('close', () => clearInterval(timer));
  });
}
