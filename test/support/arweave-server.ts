import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** How a bundler and its gateway behave. */
export interface ArweaveBehaviour {
  /** Answer to an upload; default: taken, with the item's id. */
  readonly upload?: { readonly status: number; readonly body: string };
  /** What the gateway serves in place of the item's data; null nothing at all. */
  readonly serves?: Buffer | null;
  /** How often the gateway answers 404 before it has the item. */
  readonly late?: number;
  /** Whether the gateway sends readers on, as the public one does. */
  readonly redirects?: boolean;
}

/** A bundler and gateway in one, on loopback: it takes ANS-104 data items and serves their data by their id. */
export interface ArweaveServer {
  readonly url: string;
  readonly uploads: { readonly url: string; readonly type: string; readonly body: Buffer }[];
  behaviour: ArweaveBehaviour;
  close(): Promise<void>;
}

/** Bytes of a data item before its tags: signature type, signature, owner, two absent fields. Layout: ANS-104 section 1.1. */
const SIGNATURE = { from: 2, to: 66 };
const TAG_BYTES_AT = 2 + 64 + 32 + 2 + 8;

/** Starts the server, on a free port where none is named. */
export async function startArweaveServer(port = 0): Promise<ArweaveServer> {
  const items = new Map<string, Buffer>();
  const looks = new Map<string, number>();
  const server = createServer((request, response) => {
    void (request.method === 'POST' ? upload(request, response) : serve(request, response));
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const self: ArweaveServer = {
    // A server that listens on a port has an address with one.
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    uploads: [],
    behaviour: {},
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };

  async function upload(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    self.uploads.push({ url: request.url ?? '', type: request.headers['content-type'] ?? '', body });
    const id = createHash('sha256').update(body.subarray(SIGNATURE.from, SIGNATURE.to)).digest('base64url');
    const data = body.subarray(TAG_BYTES_AT + 8 + Number(body.readBigUInt64LE(TAG_BYTES_AT)));
    const { status, body: text } = self.behaviour.upload ?? { status: 200, body: JSON.stringify({ id, timestamp: 1 }) };
    if (status < 300) items.set(id, data);
    response.writeHead(status).end(text);
  }

  function serve({ url = '', method }: IncomingMessage, response: ServerResponse): void {
    const { serves, late = 0, redirects = false } = self.behaviour;
    const id = url.split('/').at(-1) ?? '';
    const looked = (looks.get(id) ?? 0) + 1;
    looks.set(id, looked);
    const data = serves === undefined ? items.get(id) : serves;
    if (!data || looked <= late) return void response.writeHead(404).end('Not Found');
    if (redirects && !url.startsWith('/of/')) return void response.writeHead(302, { location: `/of/${id}` }).end();
    response.writeHead(200).end(method === 'HEAD' ? undefined : data);
  }

  return self;
}
