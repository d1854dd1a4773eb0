import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createArweaveStore } from '../../../chain/storage/arweave/arweave-store.ts';
import { type ArweaveServer, startArweaveServer } from '../../support/arweave-server.ts';

const bytes = Buffer.from('{"name":"Golden"}');
const ID = 'QzMqkNhGk-qdr9WaIkPH4bpeA7MB9E58rp517KsNxLs';
const secretKey = Uint8Array.from({ length: 32 }, (_, index) => index);

let server: ArweaveServer;
beforeAll(async () => {
  server = await startArweaveServer();
});
afterAll(() => server.close());
beforeEach(() => {
  server.uploads.length = 0;
  server.behaviour = {};
});

const storeWith = (changes: object = {}) =>
  createArweaveStore({
    bundlerUrl: `${server.url}/v1`,
    gatewayUrl: server.url,
    secretKey,
    servedWithinMs: 2_000,
    ...changes,
  });

describe('the Arweave store', () => {
  it('knows the address before the upload and posts the signed item', async () => {
    const store = storeWith();
    expect(store.uriOf(bytes, 'application/json')).toBe(`${server.url}/${ID}`);
    expect(await store.put(bytes, 'application/json')).toBe(`${server.url}/${ID}`);
    expect(server.uploads).toHaveLength(1);
    expect(server.uploads[0]).toMatchObject({ url: '/v1/tx', type: 'application/octet-stream' });
    expect(server.uploads[0]?.body.subarray(-bytes.length).toString()).toBe(bytes.toString());
  });

  it('uploads once what a second try stores while the first one, which was given up, still waits for the gateway', async () => {
    server.behaviour = { late: 2 };
    const store = storeWith();
    const tries = [store.put(bytes, 'application/json'), store.put(bytes, 'application/json')];
    expect(await Promise.all(tries)).toEqual([`${server.url}/${ID}`, `${server.url}/${ID}`]);
    expect(server.uploads).toHaveLength(1);
    await store.put(bytes, 'application/json');
    expect(server.uploads).toHaveLength(2);
  });

  it('takes "already stored" for stored', async () => {
    server.behaviour = { upload: { status: 202, body: 'Transaction already received' } };
    expect(await storeWith().put(bytes, 'application/json')).toBe(`${server.url}/${ID}`);
  });

  it.each([
    ['no credit', { status: 402, body: 'Not enough balance' }, 'refused .*: 402 Not enough balance'],
    ['an error of the bundler', { status: 500, body: 'oops' }, 'refused .*: 500 oops'],
    ['another id', { status: 200, body: '{"id":"other"}' }, 'under other'],
    ['no id', { status: 200, body: '{}' }, 'without an id'],
    ['no JSON', { status: 200, body: '<html>' }, 'no JSON'],
  ])('fails the upload on %s', async (_name, upload, message) => {
    server.behaviour = { upload };
    const put = storeWith().put(bytes, 'application/json');
    await expect(put).rejects.toMatchObject({
      code: 'service_unavailable',
      message: expect.stringMatching(message) as string,
    });
  });

  it('fails the upload when the bundler is gone', async () => {
    const gone = storeWith({ bundlerUrl: 'http://127.0.0.1:9' });
    await expect(gone.put(bytes, 'application/json')).rejects.toMatchObject({ code: 'service_unavailable' });
  });

  it('asks the gateway whether a file is there', async () => {
    const store = storeWith();
    server.behaviour = { serves: bytes };
    expect(await store.has(`${server.url}/${ID}`)).toBe(true);
    server.behaviour = { serves: null };
    expect(await store.has(`${server.url}/${ID}`)).toBe(false);
    const gone = storeWith({ gatewayUrl: 'http://127.0.0.1:9' });
    await expect(gone.has(`http://127.0.0.1:9/${ID}`)).rejects.toMatchObject({ code: 'service_unavailable' });
    await expect(store.has('https://elsewhere/x')).rejects.toThrow('not an address under');
  });

  it('refuses a gateway whose links would not fit a mint', () => {
    expect(() => storeWith({ gatewayUrl: `https://${'g'.repeat(58)}` })).toThrow('has 66 characters, at most 65 fit');
    expect(() => storeWith({ gatewayUrl: `https://${'g'.repeat(57)}` })).not.toThrow();
  });
});

describe('an upload counts when the gateway serves it', () => {
  it('be it late, or under another name', async () => {
    const other = Buffer.from('{"name":"Late"}');
    server.behaviour = { late: 2, redirects: true };
    expect(await storeWith().put(other, 'application/json')).toContain(server.url);
  });

  it.each([
    ['serves something else', { serves: Buffer.from('spam') }, 'was uploaded, but the gateway serves 4 other bytes'],
    ['never has it', { serves: null }, 'was uploaded, but the gateway answers 404'],
  ])('and not when it %s', async (_what, behaviour, message) => {
    server.behaviour = behaviour;
    const put = storeWith({ servedWithinMs: 700 }).put(bytes, 'application/json');
    await expect(put).rejects.toMatchObject({
      code: 'service_unavailable',
      message: expect.stringContaining(message) as string,
    });
  });

  it('and not when the gateway is gone', async () => {
    const gone = storeWith({ gatewayUrl: 'http://127.0.0.1:9', servedWithinMs: 100 });
    await expect(gone.put(bytes, 'application/json')).rejects.toThrow('the gateway cannot be read');
  });
});
