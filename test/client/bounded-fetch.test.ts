import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fetchBounded, fetchFollowing } from '../../client/http/bounded-fetch.ts';
import { createApi } from '../../client/index.ts';
import { hasLanded } from '../../client/solana/chain.ts';

const CHUNK = Buffer.alloc(64 * 1024, 'a');
let sent = 0;

/** Writes as long as somebody reads. */
function endless(_request: IncomingMessage, response: ServerResponse): void {
  const more = () => {
    while (!response.destroyed && response.write(CHUNK)) sent += CHUNK.length;
  };
  response.on('drain', more);
  more();
}

const ANSWERS: Readonly<Record<string, (request: IncomingMessage, response: ServerResponse) => void>> = {
  '/endless': endless,
  '/slow': (_request, response) => void response.write('{'),
  '/json': (_request, response) => void response.end('{"a": 1}'),
  '/hop/0': (_request, response) => void response.end('document'),
};

function answer(request: IncomingMessage, response: ServerResponse): void {
  const path = request.url ?? '';
  const [, hops] = /^\/hop\/([1-9])$/.exec(path) ?? [];
  if (hops !== undefined) response.writeHead(302, { location: `/hop/${Number(hops) - 1}` }).end();
  else (ANSWERS[path] ?? endless)(request, response);
}

const server = createServer(answer);
let url = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

const BOUNDS = { maxBytes: 200_000, timeoutMs: 20_000 };
const asIs = (address: string) => address;
const redirected = (location: string) => ({
  ...BOUNDS,
  fetch: () => Promise.resolve(new Response(null, { status: 302, headers: { location } })),
});

describe('an answer without an end', () => {
  it('is read up to the bound, and its connection is closed', async () => {
    const response = await fetchBounded(`${url}/endless`, {}, BOUNDS);
    await expect(response.json()).rejects.toThrow('the response is larger than 200000 bytes');
    await expect.poll(() => new Promise((resolve) => server.getConnections((_error, open) => resolve(open)))).toBe(0);
  });

  it('of the API is refused with the size, after some megabytes', async () => {
    sent = 0;
    await expect(createApi({ url: `${url}/api` }).ask('GET /stats')).rejects.toThrow('larger than 8388608 bytes');
    expect(sent).toBeLessThan(40 * 1024 * 1024);
  });

  it('of an RPC endpoint is no proof that something landed', async () => {
    await expect(hasLanded(`${url}/rpc`, 'signature')).rejects.toThrow('larger than 8388608 bytes');
  });

  it('that stops in the middle ends with the time', async () => {
    const read = fetchBounded(`${url}/slow`, {}, { ...BOUNDS, timeoutMs: 300 }).then((response) => response.json());
    await expect(read).rejects.toThrow('timeout');
  });
});

describe('a redirect', () => {
  it('is refused for API and RPC', async () => {
    await expect(fetchBounded(`${url}/hop/1`, {}, BOUNDS)).rejects.toThrow('fetch failed');
  });

  it('of a document is followed three times, each address checked', async () => {
    const asked: string[] = [];
    const response = await fetchFollowing(`${url}/hop/3`, BOUNDS, (address) => (asked.push(address), address));
    for await (const piece of response.pieces) expect(Buffer.from(piece).toString()).toBe('document');
    expect(asked).toEqual([3, 2, 1, 0].map((hop) => `${url}/hop/${hop}`));
    await expect(fetchFollowing(`${url}/hop/4`, BOUNDS, asIs)).rejects.toThrow('redirects more than 3 times');
  });

  it('never leads from https to http', async () => {
    const asked = fetchFollowing('https://one.example/a', redirected('http://one.example/a'), asIs);
    await expect(asked).rejects.toThrow('https://one.example/a redirects to http://one.example/a, without TLS');
  });
});

it('a body within the bounds is read whole', async () => {
  expect(await (await fetchBounded(`${url}/json`, {}, BOUNDS)).json()).toEqual({ a: 1 });
});
