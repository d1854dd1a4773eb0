import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { type Server, ServerCredentials } from '@grpc/grpc-js';

/** The gRPC server's front door: a loopback port that can be shut while the port stays taken. */
export interface Gate {
  readonly port: number;
  /** Open: connections are served. Shut: standing ones are cut, new ones are cut as they come. */
  setOpen(open: boolean): void;
  close(): Promise<void>;
}

/**
 * Listens on `host` and hands connections to the gRPC server. Rejects when the port is taken.
 *
 * The listener is ours because the server's own, once unbound, would give the port away and keep serving old connections.
 */
export async function openGate(grpc: Server, port: number, host = '127.0.0.1'): Promise<Gate> {
  const injector = grpc.createConnectionInjector(ServerCredentials.createInsecure());
  const sockets = new Set<Socket>();
  let isOpen = true;
  const listener = createServer((socket) => {
    if (!isOpen) {
      socket.resetAndDestroy();
      return;
    }
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    // A client that goes away resets its connection; HTTP/2 above ends the calls.
    socket.on('error', () => socket.destroy());
    injector.injectConnection(socket);
  });
  listener.listen({ host, port, exclusive: true });
  await once(listener, 'listening');
  const cutAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: portOf(listener.address()),
    setOpen(open) {
      isOpen = open;
      if (!open) cutAll();
    },
    async close() {
      const closed = once(listener, 'close');
      listener.close();
      cutAll();
      injector.destroy();
      await closed;
    },
  };
}

/** Port of a listening TCP server. */
export function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error(`not a TCP address: ${address}`);
  return address.port;
}
