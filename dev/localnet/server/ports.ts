import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

const ATTEMPTS = 50;

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
}

export async function closeServer(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = new Promise((resolve) => server.once('close', resolve));
  server.close();
  server.closeAllConnections();
  await closed;
}

/**
 * Neighbours: web3.js 1.x expects the websocket on RPC + 1.
 *
 * @param port 0 = any free pair
 * @throws if one is taken
 */
export async function listenOnPair(first: Server, second: Server, port: number, host = '127.0.0.1'): Promise<number> {
  for (let attempt = 0; ; attempt++) {
    const got = await listen(first, port, host);
    try {
      if (got === 65_535) throw Object.assign(new Error(`port ${got} has no neighbour`), { code: 'EADDRINUSE' });
      await listen(second, got + 1, host);
      return got;
    } catch (error) {
      await closeServer(first);
      if (!isTaken(error) || port !== 0 || attempt >= ATTEMPTS) throw error;
    }
  }
}
