import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ApiInstance } from '../../../api/instance.ts';
import { testConfig } from '../../support/api/api-config.ts';
import { testApp } from '../../support/api/test-app.ts';

const INDEX = `<!doctype html><html><head><meta name="application-name" content="Ship" />
<!--head--><title>x</title><!--/head-->
<meta name="slipway:image-origins" content="" /></head><body></body></html>`;

let directory: string;
let app: ApiInstance;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'site-'));
  await mkdir(join(directory, 'assets'));
  await writeFile(join(directory, 'index.html'), INDEX);
  await writeFile(join(directory, 'assets/main-1.js'), 'plain');
  await writeFile(join(directory, 'assets/main-1.js.br'), 'small');
  app = await testApp({ config: testConfig({ WEB_DIR: directory, RATE_LIMIT_API: '5' }) });
});
afterAll(async () => {
  await app.close();
  await rm(directory, { recursive: true });
});

const PAGES = ['/', '/launch', '/creator', '/creator/w', '/rewards', '/rewards/w', '/wallet/w', '/platform'];

test.each(PAGES)(
  '%s is a page with a title of its own, on no counter, and it may load nothing from elsewhere',
  async (path) => {
    const { statusCode, headers, body } = await app.inject(path);
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(body).toMatch(/<title>[A-Z][^<]+ · Ship<\/title>/);
    expect(body).toContain(`<meta property="og:url" content="http://127.0.0.1:8080${path}" />`);
    expect(headers).not.toHaveProperty('x-ratelimit-limit');
    expect(headers['content-security-policy']).not.toMatch(/unsafe|https?:|\*/);
  },
);

test('files are kept for ever, compressed for whom it helps, and nothing outside the build is served', async () => {
  const plain = await app.inject('/assets/main-1.js');
  const small = await app.inject({ url: '/assets/main-1.js', headers: { 'accept-encoding': 'br' } });
  expect([plain.body, small.body, small.headers['content-encoding']]).toEqual(['plain', 'small', 'br']);
  expect(plain.headers['cache-control']).toContain('immutable');
  for (const path of ['/assets/..%2findex.html', '/assets/gone.js', '/index.html']) {
    const { statusCode, headers } = await app.inject(path);
    expect([path, Math.floor(statusCode / 100)]).toEqual([path, 4]);
    expect(headers['content-type']).toContain('application/json');
  }
});

test('without WEB_DIR the API serves no page', async () => {
  const bare = await testApp();
  expect((await bare.inject('/')).statusCode).toBe(404);
  await bare.close();
});
