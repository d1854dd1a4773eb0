import type { ApiInstance } from '../instance.ts';

/**
 * Answers that are sent while the API closes end their connection. Fastify closes connections that are idle when closing
 * begins; one that was busy then would be kept alive after its answer, and the process with it.
 */
export function registerClosing(app: ApiInstance): void {
  let closing = false;
  app.addHook('preClose', async () => {
    closing = true;
  });
  app.addHook('onSend', async (_request, reply, payload) => {
    if (closing) void reply.header('connection', 'close');
    return payload;
  });
}
