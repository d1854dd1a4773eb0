import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { testConfig } from '../../support/api/api-config.ts';
import { testApp } from '../../support/api/test-app.ts';
import { useMarketApp } from '../../support/market/market-app.ts';

const INDEX = '<meta name="application-name" content="Ship" /><!--head--><!--/head-->';
const directory = mkdtempSync(join(tmpdir(), 'crawlers-'));
writeFileSync(join(directory, 'index.html'), INDEX);
afterAll(() => rmSync(directory, { recursive: true }));
const config = testConfig({ WEB_DIR: directory, SECURITY_CONTACT: 'mailto:security@ship.example' });
const market = useMarketApp(() => ({ config }));

const SITE = 'http://127.0.0.1:8080';
const locations = (xml: string) => [...xml.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address]) => address);
const read = (url: string, accept = '*/*') => market.app().inject({ url, headers: { accept } });

test('an unknown address is a page for a browser and an error for a program, and both say 404', async () => {
  for (const path of ['/nonsense', '/faq', '/tokens', '/favicon.png']) {
    const page = await read(path, 'text/html,application/xhtml+xml,*/*;q=0.8');
    expect([path, page.statusCode, page.headers['content-type']]).toEqual([path, 404, 'text/html; charset=utf-8']);
    expect(page.body).toContain('<title>Not found · Ship</title>');
    expect(page.headers).toHaveProperty('content-security-policy');
    expect((await read(path)).json()).toMatchObject({ error: { code: 'not_found' } });
  }
});

test('below the API everybody gets the error', async () => {
  const answer = await read('/api/public/v1/nonsense', 'text/html');
  expect([answer.statusCode, answer.json()]).toEqual([
    404,
    { error: expect.objectContaining({ code: 'not_found' }) as object },
  ]);
});

test('what browsers and crawlers ask every site for is there', async () => {
  expect((await read('/robots.txt')).body).toBe(`User-agent: *\nDisallow: /api/\nSitemap: ${SITE}/sitemap.xml\n`);
  const { statusCode, headers } = await read('/favicon.ico');
  expect([statusCode, headers['location']]).toEqual([302, '/logo.svg']);
  const manifest = await read('/manifest.webmanifest');
  expect([manifest.headers['content-type'], manifest.json()]).toMatchObject([
    'application/manifest+json; charset=utf-8',
    { name: 'Ship' },
  ]);
});

test('security.txt names the operator’s contact and ends within a year; without one it is not there', async () => {
  const { body } = await read('/.well-known/security.txt');
  const [, expires = ''] = /^Expires: (.*)$/m.exec(body) ?? [];
  expect(body).toContain('Contact: mailto:security@ship.example\n');
  expect(Date.parse(expires) - Date.now()).toBeGreaterThan(0);
  expect(Date.parse(expires) - Date.now()).toBeLessThanOrEqual(365 * 24 * 3_600_000);
  const bare = await testApp({ config: testConfig({ WEB_DIR: directory }) });
  expect((await bare.inject('/.well-known/security.txt')).statusCode).toBe(404);
  await bare.close();
});

test('the site map has every visible token in parts of 5,000, and the pages', async () => {
  const [first, hidden] = [await market.launch(), await market.launch()];
  await market.db().updateTable('tokens').set({ hidden: true }).where('mint', '=', hidden.mint).execute();
  await sql`select setval('token_listing_numbers', 5000)`.execute(market.db());
  const second = await market.launch();
  const parts = locations((await read('/sitemap.xml')).body);
  expect(parts).toEqual([0, 1, 2].map((part) => `${SITE}/sitemap/${part}`));
  const listed = await Promise.all(
    parts.map(async (part) => locations((await read(new URL(part ?? '').pathname)).body)),
  );
  expect(listed).toEqual([
    ['/', '/launch', '/creator', '/rewards', '/platform'].map((path) => SITE + path),
    [`${SITE}/tokens/${first.mint}`],
    [`${SITE}/tokens/${second.mint}`],
  ]);
  expect((await read('/sitemap/3')).statusCode).toBe(404);
});
