import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { createLocalServer } from '../../local-server.ts';
import { closeServer } from '../../localnet/server/ports.ts';

export interface UiAddress {
  readonly ip: string;
  readonly port: number;
}

/** No page can guess it: any of 127.0.0.0/8 on Linux; elsewhere only the port is hidden. */
export function hiddenLoopback(platform: NodeJS.Platform = process.platform): string {
  if (platform !== 'linux') return '127.0.0.1';
  return `127.${randomInt(1, 255)}.${randomInt(0, 256)}.${randomInt(1, 255)}`;
}

/**
 * Opens the UI to programs and pages of this machine: alone it would answer a foreign site whose name resolves to
 * loopback.
 */
export async function openUiGate(ui: UiAddress, port: number): Promise<() => Promise<void>> {
  const server = createLocalServer('this machine', {
    request: (request, response) => {
      forward(ui, request, response);
    },
  });
  server.listen({ port, host: '127.0.0.1', exclusive: true });
  await once(server, 'listening');
  return () => closeServer(server);
}

function forward({ ip, port }: UiAddress, request: IncomingMessage, response: ServerResponse): void {
  const { method, url, headers } = request;
  const onward = httpRequest({ host: ip, port, method, path: url, headers, agent: false }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
    answer.on('error', () => response.destroy());
  });
  onward.on('error', () => {
    if (response.headersSent) response.destroy();
    else response.writeHead(502, { 'content-type': 'text/plain' }).end('the UI of Temporal does not answer\n');
  });
  response.on('close', () => onward.destroy());
  request.pipe(onward);
}
