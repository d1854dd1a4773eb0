import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A loopback HTTP server that answers what a test tells it to and remembers the requests. */
export interface AnsweringServer {
  readonly url: string;
  readonly requests: { url: string; headers: IncomingHttpHeaders }[];
  /** `null` never answers. */
  answer: { status: number; body: string } | null;
  close(): Promise<void>;
}

export async function startAnsweringServer(): Promise<AnsweringServer> {
  const requests: AnsweringServer['requests'] = [];
  const server = createServer((request, response) => {
    requests.push({ url: request.url ?? '', headers: request.headers });
    if (self.answer !== null) response.writeHead(self.answer.status).end(self.answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const self: AnsweringServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    answer: { status: 200, body: '{}' },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return self;
}
