import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { type Server, ServerCredentials } from '@grpc/grpc-js';

const MOST_CONNECTIONS = 1_000;

/** Shut without releasing the port. */
export interface Gate {
  readonly port: number;
  setOpen(open: boolean): void;
  close(): Promise<void>;
}

/**
 * A listener of its own: the gRPC server's would release the port and keep serving old connections.
 *
 * @throws if the port is taken
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
    // A client resets its connection; HTTP/2 ends its calls.
    socket.on('error', () => socket.destroy());
    injector.injectConnection(socket);
  });
  listener.maxConnections = MOST_CONNECTIONS;
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

/** @throws if it does not listen on TCP */
export function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error(`not a TCP address: ${address}`);
  return address.port;
}
