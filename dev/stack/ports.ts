import { createServer } from 'node:net';
import { isSystemError } from './process-table.ts';

/**
 * Ports are drawn below the range from which systems number outgoing connections (32768 on Linux, 49152 elsewhere): a part
 * that is restarted must find its port free, and a client's own connection could otherwise sit on it.
 */
const FIRST = 20_000;
const COUNT = 12_000;
const ATTEMPTS = 200;

function canListen(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error) => {
      if (isSystemError(error, 'EADDRINUSE', 'EACCES')) resolve(false);
      else reject(error);
    });
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      server.close(() => {
        resolve(true);
      });
    });
  });
}

/**
 * Hands out loopback ports that were free when asked, each at most once, so that parts started side by side do not collide.
 * @throws when 200 draws in a row found none.
 */
export function createPortAllocator(draw: () => number = Math.random): () => Promise<number> {
  const taken = new Set<number>();
  return async () => {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const port = FIRST + Math.floor(draw() * COUNT);
      if (taken.has(port)) continue;
      taken.add(port);
      if (await canListen(port)) return port;
    }
    throw new Error(`no free port among ${ATTEMPTS} tried between ${FIRST} and ${FIRST + COUNT}`);
  };
}
