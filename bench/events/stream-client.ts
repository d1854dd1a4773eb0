import { connect, type Socket } from 'node:net';

/** Where a stream is read, and by which address of this machine: an address has a few streams alone. */
export interface StreamAt {
  readonly port: number;
  readonly localAddress?: string;
}

/**
 * Opens a stream of events on a raw socket, a client that costs next to nothing; resolves once it was accepted. Each
 * event's text is handed to `onEvent` as it comes.
 *
 * @throws for any status but 200
 */
export function openStream({ port, localAddress }: StreamAt, onEvent: (text: string) => void): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const socket = connect({ port, host: '127.0.0.1', noDelay: true, ...(localAddress && { localAddress }) });
  let [rest, isAccepted] = ['', false];
  socket.setEncoding('latin1');
  socket.on('error', reject);
  socket.once('close', () => reject(new Error('the server closed the stream')));
  socket.on('data', (text: string) => {
    if (!isAccepted) {
      isAccepted = true;
      if (!text.startsWith('HTTP/1.1 200'))
        return reject(new Error(`answered ${text.slice(0, 12)} … ${text.slice(-300)}`));
      resolve(socket);
    }
    const blocks = (rest + text).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) if (block.includes('data: ')) onEvent(block);
  });
  socket.write(`GET /api/public/v1/events/stream HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n\r\n`);
  return promise;
}
