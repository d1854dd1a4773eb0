import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { OPERATIONS } from '../support/docs/operations.ts';
import { CODE_BLOCKS, type Cover } from '../support/docs/code-blocks.ts';

const ROOT = join(import.meta.dirname, '../..');
const PAGES = globSync(['*.md', 'docs/*.md', 'client/*.md'], { cwd: ROOT }).toSorted();
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

/** Code that a reader copies; outputs and configuration are no commands. */
const COPIED = /^ *```(?:sh|sql|ts|js|typescript)\n([^]*?)^ *```/gm;

interface Block {
  readonly page: string;
  readonly text: string;
}

const BLOCKS: readonly Block[] = PAGES.flatMap((page) =>
  [...read(page).matchAll(COPIED)].map(([, text = '']) => ({ page, text: text.trimStart() })),
);

const coverOf = ({ page, text }: Block): Cover | undefined =>
  Object.entries(CODE_BLOCKS[page] ?? {}).find(([begins]) => `${text.trimEnd()}\n`.startsWith(begins))?.[1];

describe('every block of code that a page shows', () => {
  it('is run by a test, or stands on the list with its reason', () => {
    expect(BLOCKS.length).toBeGreaterThan(30);
    expect(
      BLOCKS.filter((block) => !coverOf(block)).map(({ page, text }) => `${page}: ${text.split('\n')[0]}`),
    ).toEqual([]);
  });

  it('and the list names no other, and tests that exist', () => {
    const listed = Object.values(CODE_BLOCKS).flatMap((blocks) => Object.values(blocks));
    const used = new Set(BLOCKS.map(coverOf));
    expect(listed.filter((cover) => !used.has(cover))).toEqual([]);
    expect(listed.filter((cover) => 'test' in cover && !existsSync(join(ROOT, cover.test)))).toEqual([]);
  });
});

/** Served by parts beside the API. */
const OTHER_REQUESTS: Readonly<Record<string, string>> = {
  'POST /fault': 'the local block engine',
  'GET /events/stream': 'no JSON: the typed document leaves it out',
  'GET /openapi.full.json': 'the document itself',
};

test.each(PAGES)('%s names requests that the API has', (page) => {
  const named = [...read(page).matchAll(/`((?:GET|POST) \/[^`\s?]*)/g)].map(([, one = '']) =>
    one.replace('/api/public/v1', ''),
  );
  expect(named.filter((one) => !OPERATIONS.has(one) && !(one in OTHER_REQUESTS))).toEqual([]);
});

test.each(PAGES)('%s names npm scripts that exist', (page) => {
  const scripts: unknown = JSON.parse(read('package.json'));
  const named = [...read(page).matchAll(/npm run (?:-s )?([a-z][\w:-]*)/g)].map(([, name = '']) => name);
  expect(named.filter((name) => !JSON.stringify(scripts).includes(`"${name}":`))).toEqual([]);
});

const MOST_WORDS = 3_000;

test.each(PAGES.filter((page) => page !== 'CHANGELOG.md'))(
  '%s has at most 3,000 words, generated lists and code aside',
  (page) => {
    const prose = read(page)
      .replaceAll(/<!-- begin: ([\w-]+) -->[^]*?<!-- end: \1 -->/g, '')
      .replaceAll(/^ *```[^]*?^ *```/gm, '');
    expect(prose.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length).toBeLessThanOrEqual(MOST_WORDS);
  },
);
