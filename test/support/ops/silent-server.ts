import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';

/** Takes connections and answers nothing: a process that hangs behind a kernel that lives. */
export async function startSilentServer() {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => void sockets.add(socket)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { address: `127.0.0.1:${port}`, close };
}
