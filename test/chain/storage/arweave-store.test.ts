import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createArweaveStore } from '../../../chain/storage/arweave/arweave-store.ts';
import { type PermanentStore } from '../../../chain/storage/permanent-store.ts';

const bytes = Buffer.from('{"name":"Golden"}');
const ID = 'QzMqkNhGk-qdr9WaIkPH4bpeA7MB9E58rp517KsNxLs';

type Answer = { status: number; body: string };

let server: Server;
let base: string;
let store: PermanentStore;
let answer: Answer;
let posts: { url: string; type: string; body: Buffer }[];

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

beforeAll(async () => {
  server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      if (request.method === 'POST') {
        posts.push({ url: request.url ?? '', type: request.headers['content-type'] ?? '', body });
      }
      response.writeHead(answer.status).end(request.method === 'HEAD' ? undefined : answer.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const secretKey = Uint8Array.from({ length: 32 }, (_, index) => index);
  store = createArweaveStore({ bundlerUrl: base, gatewayUrl: base, secretKey });
});
afterAll(() => new Promise((resolve) => server.close(resolve)));
beforeEach(() => {
  posts = [];
  answer = { status: 200, body: JSON.stringify({ id: ID, timestamp: 1_700_000_000_000, deadlineHeight: 1 }) };
});

describe('the Arweave store', () => {
  it('knows the address before the upload and posts the signed item', async () => {
    expect(store.uriOf(bytes, 'application/json')).toBe(`${base}/${ID}`);
    expect(await store.put(bytes, 'application/json')).toBe(`${base}/${ID}`);
    expect(posts).toHaveLength(1);
    expect(posts[0]).toMatchObject({ url: '/tx', type: 'application/octet-stream' });
    expect(posts[0]?.body.subarray(-bytes.length).toString()).toBe(bytes.toString());
  });

  it('takes "already stored" for stored', async () => {
    answer = { status: 202, body: 'Transaction already received' };
    expect(await store.put(bytes, 'application/json')).toBe(`${base}/${ID}`);
  });

  it.each<[string, Answer, string]>([
    ['no credit', { status: 402, body: 'Not enough balance' }, 'refused .*: 402 Not enough balance'],
    ['an error of the bundler', { status: 500, body: 'oops' }, 'refused .*: 500 oops'],
    ['another id', { status: 200, body: '{"id":"other"}' }, 'under other'],
    ['no id', { status: 200, body: '{}' }, 'without an id'],
    ['no JSON', { status: 200, body: '<html>' }, 'no JSON'],
  ])('fails the upload on %s', async (_name, given, message) => {
    answer = given;
    const put = store.put(bytes, 'application/json');
    await expect(put).rejects.toMatchObject({
      code: 'service_unavailable',
      message: expect.stringMatching(message) as string,
    });
  });

  it('fails the upload when the bundler is gone', async () => {
    const gone = createArweaveStore({
      bundlerUrl: 'http://127.0.0.1:9',
      gatewayUrl: base,
      secretKey: new Uint8Array(32),
    });
    await expect(gone.put(bytes, 'application/json')).rejects.toMatchObject({ code: 'service_unavailable' });
  });

  it('asks the gateway whether a file is there', async () => {
    expect(await store.has(`${base}/${ID}`)).toBe(true);
    answer = { status: 404, body: '' };
    expect(await store.has(`${base}/${ID}`)).toBe(false);
    answer = { status: 502, body: '' };
    await expect(store.has(`${base}/${ID}`)).rejects.toMatchObject({ code: 'service_unavailable' });
    await expect(store.has('https://elsewhere/x')).rejects.toThrow('not an address under');
  });
});
