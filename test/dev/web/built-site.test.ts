import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { builtSite } from '../../../dev/web/built-site.ts';
import { DEFAULT_DATA_DIRECTORY } from '../../../dev/stack/layout.ts';

const FIRST_PAGE_BYTES = 60_000;
const cache = process.env['SLIPWAY_CACHE_DIR'] ?? join(DEFAULT_DATA_DIRECTORY, 'cache');

let folder: string;
beforeAll(async () => {
  folder = await builtSite({ cache, onBuild: () => undefined });
});

/** Files that index.html names: what a browser loads before it shows the first page. */
function firstFiles(): string[] {
  const html = readFileSync(join(folder, 'index.html'), 'utf8');
  return [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)].map(([, path = '']) => path);
}

test('what was built for these very sources is not built again', async () => {
  let builds = 0;
  const again = await builtSite({
    cache,
    onBuild: () => {
      builds += 1;
    },
  });
  expect([again, builds]).toEqual([folder, 0]);
});

test('the first page is under 60 kB compressed, its pictures aside', () => {
  const sizes = firstFiles().map((path) => statSync(join(folder, `${path}.gz`)).size);
  expect(sizes.length).toBeGreaterThan(1);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(FIRST_PAGE_BYTES);
});

test('charts and keys are not part of it', () => {
  const first = firstFiles().map((path) => readFileSync(join(folder, path), 'utf8'));
  const all = readdirSync(join(folder, 'assets')).filter((name) => name.endsWith('.js'));
  const mention = (text: string) =>
    all.filter((name) => readFileSync(join(folder, 'assets', name), 'utf8').includes(text));
  for (const text of ['tv-lightweight-charts', 'slipway:demo-seed']) {
    expect([text, mention(text).length]).toEqual([text, 1]);
    expect(first.some((script) => script.includes(text))).toBe(false);
  }
});

test('no page has an inline script, which the content security policy refuses', () => {
  const html = readFileSync(join(folder, 'index.html'), 'utf8');
  for (const [, body] of html.matchAll(/<script[^>]*>([^<]*)</g)) expect(body).toBe('');
  expect(html).not.toMatch(/<style|style="|onload=/);
});
