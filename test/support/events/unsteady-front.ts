import { createServer, request, type Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** What stands in front of an API: it passes requests on, or is in the middle of an upgrade. */
export interface UnsteadyFront {
  /** Of the front, without a path. */
  readonly url: string;
  /** Requests so far, without those for the page. */
  asked(): number;
  /** Cuts all connections, and answers for `ms` as a proxy does whose API is away. */
  answer502(ms: number): Promise<void>;
  /** Cuts all connections, and refuses new ones for `ms`, as a process that restarts. */
  restart(ms: number): Promise<void>;
  close(): Promise<void>;
}

/**
 * Also answers `/page` with an empty page, from which a browser reaches it. `from`: the address of this machine by which
 * it asks.
 */
export async function startUnsteadyFront(target: string, from = '127.0.0.1'): Promise<UnsteadyFront> {
  let [isAway, count] = [false, 0];
  const server = createServer((asked, response) => {
    if (asked.url === '/page') return void response.setHeader('content-type', 'text/html').end('<!doctype html>');
    count += 1;
    if (isAway) return void response.writeHead(502, { 'content-type': 'text/html' }).end('<html>');
    const options = { headers: asked.headers, localAddress: from };
    const passed = request(new URL(asked.url ?? '/', target), options, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers).flushHeaders();
      answer.pipe(response);
      answer.on('error', () => response.destroy());
    });
    passed.on('error', () => response.destroy());
    response.on('close', () => passed.destroy());
    passed.end();
  });
  const port = await listen(server, 0);
  return {
    url: `http://127.0.0.1:${port}`,
    asked: () => count,
    answer502: async (ms) => {
      isAway = true;
      server.closeAllConnections();
      await sleep(ms);
      isAway = false;
    },
    restart: async (ms) => {
      await close(server);
      await sleep(ms);
      await listen(server, port);
    },
    close: () => close(server),
  };
}

async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}

async function close(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
  server.closeAllConnections();
  await closed;
}
