import { connect } from 'node:net';

const ANSWERS_WITHIN_MS = 1_000;
const MOST_BYTES = 2_000;

/** Null without a listener; empty if it sends nothing. */
function firstBytes(port: number): Promise<string | null> {
  return new Promise((resolve) => {
    let received: string | null = null;
    const socket = connect({ host: '127.0.0.1', port }, () => {
      received = '';
      socket.write(`GET / HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nconnection: close\r\n\r\n`);
    });
    const timer = setTimeout(() => socket.destroy(), ANSWERS_WITHIN_MS);
    socket.setEncoding('latin1').on('data', (text: string) => {
      received = (received ?? '') + text;
      if (received.includes('\r\n\r\n') || received.length > MOST_BYTES) socket.destroy();
    });
    // A reset leaves `received`, a refusal null.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(received);
    });
  });
}

function describe(bytes: string): string {
  const status = /^HTTP\/[\d.]+ \d{3}[ -~]{0,60}/.exec(bytes)?.[0].trim();
  if (status === undefined) return bytes === '' ? 'nothing to HTTP' : 'something other than HTTP';
  const server = /^server: *([ -~]{1,60})/im.exec(bytes)?.[1]?.trim();
  return server === undefined ? status : `${status} (server: ${server})`;
}

export async function neighbourOn(ports: readonly number[]): Promise<string | null> {
  for (const port of ports) {
    const bytes = await firstBytes(port);
    if (bytes !== null) return `another program holds port ${port} and answers ${describe(bytes)}`;
  }
  return null;
}
