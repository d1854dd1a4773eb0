import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { builtSite, type SiteKind } from '../../../dev/web/built-site.ts';
import { DEFAULT_DATA_DIRECTORY } from '../../../dev/stack/layout.ts';

const FIRST_PAGE_BYTES = 60_000;
const cache = process.env['SLIPWAY_CACHE_DIR'] ?? join(DEFAULT_DATA_DIRECTORY, 'cache');

const KINDS: readonly SiteKind[] = ['production', 'local'];
/** Words of the local chain's own parts: demo key, demo wallet, desk, trading, and the stand-in's collection of fees. */
const LOCAL_ONLY = ['slipway:demo-seed', 'Demo wallet', 'the desk', 'Trade on the local chain', 'a stranger’s tokens'];

const folders = {} as Record<SiteKind, string>;
beforeAll(async () => {
  for (const kind of KINDS) folders[kind] = await builtSite({ kind, cache, onBuild: () => undefined });
});

const indexOf = (kind: SiteKind) => readFileSync(join(folders[kind], 'index.html'), 'utf8');

/** Files that index.html names: what a browser loads before it shows the first page. */
function firstFiles(kind: SiteKind): string[] {
  return [...indexOf(kind).matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)].map(([, path = '']) => path);
}

/** Names of the scripts that hold a text. */
function scriptsWith(kind: SiteKind, text: string): string[] {
  const all = readdirSync(join(folders[kind], 'assets')).filter((name) => name.endsWith('.js'));
  return all.filter((name) => readFileSync(join(folders[kind], 'assets', name), 'utf8').includes(text));
}

test('the site that is deployed has nothing of a local chain, and that of a local chain has it', () => {
  expect(LOCAL_ONLY.filter((text) => scriptsWith('production', text).length > 0)).toEqual([]);
  expect(LOCAL_ONLY.filter((text) => scriptsWith('local', text).length === 0)).toEqual([]);
  expect(indexOf('production')).not.toMatch(/desk/i);
});

describe.each(KINDS)('the %s site', (kind) => {
  test('is not built again for these very sources', async () => {
    let builds = 0;
    const again = await builtSite({
      kind,
      cache,
      onBuild: () => {
        builds += 1;
      },
    });
    expect([again, builds]).toEqual([folders[kind], 0]);
  });

  test('shows its first page with less than 60 kB compressed, its pictures aside', () => {
    const sizes = firstFiles(kind).map((path) => statSync(join(folders[kind], `${path}.gz`)).size);
    expect(sizes.length).toBeGreaterThan(1);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(FIRST_PAGE_BYTES);
  });

  test('loads charts and keys only where they are needed', () => {
    const first = firstFiles(kind).map((path) => readFileSync(join(folders[kind], path), 'utf8'));
    const late = ['tv-lightweight-charts', ...(kind === 'local' ? ['slipway:demo-seed'] : [])];
    for (const text of late) {
      expect([text, scriptsWith(kind, text).length]).toEqual([text, 1]);
      expect(first.some((script) => script.includes(text))).toBe(false);
    }
  });

  test('has no inline script, which the content security policy refuses', () => {
    const html = indexOf(kind);
    for (const [, body] of html.matchAll(/<script[^>]*>([^<]*)</g)) expect(body).toBe('');
    expect(html).not.toMatch(/<style|style="|onload=/);
  });
});
