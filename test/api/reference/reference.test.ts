import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ApiInstance } from '../../../api/instance.ts';
import { testApp } from '../../support/api/test-app.ts';

let app: ApiInstance;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

test('the reference is a page of this host alone: no inline script, no other origin, and a new nonce each time', async () => {
  const [first, second] = [await app.inject('/docs'), await app.inject('/docs')];
  const policy = String(first.headers['content-security-policy']);
  expect([first.statusCode, first.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'nonce-");
  expect(policy).not.toMatch(/unsafe|https?:|\*/);
  expect(second.headers['content-security-policy']).not.toBe(policy);
  expect(first.body).not.toMatch(/https?:\/\//);
  expect([...first.body.matchAll(/<script[^>]*>([^<]*)</g)].map(([, text]) => text)).toEqual(['', '']);
});

test('everything that the page loads is served here, and the document that it shows is the full one', async () => {
  const { body } = await app.inject('/docs');
  for (const [, path = ''] of body.matchAll(/(?:src|href)="([^"]+)"/g)) {
    expect([path, (await app.inject(path)).statusCode]).toEqual([path, 200]);
  }
  const { body: start } = await app.inject('/docs/start.js');
  const [, url = ''] = /"url":"([^"]+)"/.exec(start) ?? [];
  expect((await app.inject(url)).json()).toMatchObject({ openapi: '3.1.0' });
  expect(start).toContain('"withDefaultFonts":false,"telemetry":false');
});

test('the script is not sent again to who has it', async () => {
  const { headers, body } = await app.inject('/docs/scalar.js');
  expect(body.length).toBeGreaterThan(1_000_000);
  const again = await app.inject({ url: '/docs/scalar.js', headers: { 'if-none-match': String(headers.etag) } });
  expect([again.statusCode, again.body]).toEqual([304, '']);
});

test('llms.txt names the documents by addresses that exist, and operations of the API', async () => {
  const { body, headers } = await app.inject('/llms.txt');
  expect(headers['content-type']).toBe('text/plain; charset=utf-8');
  for (const [, url = ''] of body.matchAll(/\]\(([^)]+)\)/g)) {
    expect([url, (await app.inject(new URL(url).pathname)).statusCode]).toEqual([url, 200]);
  }
  const { paths } = (await app.inject('/api/public/v1/openapi.json')).json<{ paths: Record<string, object> }>();
  const named = [...body.matchAll(/(GET|POST) (\/[\w/{}-]*)/g)].map(([, method, path]) => [method, path]);
  expect(named.length).toBeGreaterThan(6);
  for (const [method = '', path = ''] of named) expect(Object.keys(paths[path] ?? {})).toContain(method.toLowerCase());
});

test('neither is in the document of the API', async () => {
  const { body } = await app.inject('/api/public/v1/openapi.full.json');
  expect(body).not.toMatch(/"\/(docs|llms)/);
});
