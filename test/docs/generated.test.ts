import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { partOf } from '../../dev/docs/marked-part.ts';
import { GENERATED_PARTS } from '../../dev/docs/parts.ts';
import { PICTURES } from '../../dev/docs/pictures/pictures.ts';

const ROOT = join(import.meta.dirname, '../..');
const AT_THE_ROOT = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'];
const PAGES = [
  ...AT_THE_ROOT,
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

function read(page: string): string {
  return readFileSync(join(ROOT, page), 'utf8');
}

const PARTS = GENERATED_PARTS.map(({ page, name, text }) => [`docs/${page}`, name, text] as const);

test.each(PARTS)('%s has the part "%s" as the code gives it (npm run docs)', (page, name, text) => {
  expect(partOf(read(page), name)).toBe(text());
});

const MOST_PICTURE_BYTES = 150_000;

test.each(PICTURES)('docs/pictures/$file is drawn as the code declares it (npm run docs)', ({ file, text }) => {
  expect(read(`docs/pictures/${file}`)).toBe(text());
});

test('every picture is small, and stands on a page', () => {
  const pages = PAGES.map(read).join('\n');
  for (const file of readdirSync(join(ROOT, 'docs/pictures'))) {
    expect(statSync(join(ROOT, 'docs/pictures', file)).size, file).toBeLessThan(MOST_PICTURE_BYTES);
    expect(pages).toContain(`pictures/${file}`);
  }
});

test('every part of a page that is marked as generated is generated', () => {
  const marked = PAGES.flatMap((page) =>
    [...read(page).matchAll(/<!-- begin: ([\w-]+) -->/g)].map(([, name]) => `${page} ${name}`),
  );
  const known = new Set(PARTS.map(([page, name]) => `${page} ${name}`));
  expect(marked.filter((part) => !known.has(part) && !part.startsWith('docs/launch-costs.md '))).toEqual([]);
});

/** Paths of this repository as they stand in prose and commands; what follows a placeholder is left out. */
const OWN_PATH =
  /(?<![\w/.<`-]|http:)`?((?:activities|api|bench|chain|client|config|db|dev|docs|domain|integrations|observe|ops|scripts|test|worker|workflows)\/[\w./-]*)/g;

function filesNamedIn(text: string): string[] {
  return [...text.matchAll(OWN_PATH)].map(([, path = '']) => path.replace(/[./]+$/, ''));
}

/** Targets of links that do not leave this repository. */
function linksOf(text: string): string[] {
  return [...text.matchAll(/\]\(([^)]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !target.includes('://'));
}

function leadsSomewhere(page: string, link: string): boolean {
  const [path = '', heading] = link.split('#');
  const target = path === '' ? page : join(dirname(page), path);
  if (!exists(target)) return false;
  return heading === undefined || headingsOf(read(target)).includes(heading);
}

/** The anchors of a page's headings, as GitHub makes them. */
function headingsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  );
}

function exists(path: string): boolean {
  return existsSync(join(ROOT, path));
}

describe.each(PAGES)('%s', (page) => {
  it('links to pages and headings that exist', () => {
    expect(linksOf(read(page)).filter((link) => !leadsSomewhere(page, link))).toEqual([]);
  });

  it('names files that exist', () => {
    expect(filesNamedIn(read(page)).filter((path) => !exists(path))).toEqual([]);
  });
});
