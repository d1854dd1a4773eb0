import { expect, test } from 'vitest';
import { asText, withHead } from '../../../api/site/head.ts';

const HTML = '<head><meta name="application-name" content="Ship" /><!--head--><title>x</title><!--/head--></head>';

const headFor = (name: string) =>
  withHead(HTML, 'Ship', {
    title: `${name} · Ship`,
    description: `${name} is a token`,
    url: 'https://ship.example/tokens/m',
    image: `https://ship.example/${name}.png`,
  });

test.each([
  ['markup', '</title><script>alert(1)</script>'],
  ['an end of the attribute', '" onload="alert(1)" x="'],
  ['an apostrophe', "' onload='alert(1)"],
  ['a comment', '--><!--/head--><img src=x onerror=alert(1)>'],
  ['an entity', '&lt;script&gt;'],
  ['a replacement pattern', "$& $1 $' $`"],
])('a name with %s is text in the head of its page', (_, name) => {
  const html = headFor(name);
  const tags = [...html.matchAll(/<(\/?[a-z]+)/gi)].map(([, tag]) => tag);
  expect(new Set(tags)).toEqual(new Set(['head', 'meta', 'title', '/title', 'link', '/head']));
  expect(html.match(/<title>([^<]*)<\/title>/)?.[1]).toBe(asText(`${name} · Ship`));
  expect(html).not.toContain('onload="');
  for (const [tag] of html.matchAll(/<meta [^>]*>/g))
    expect(tag).toMatch(/^<meta (name|property)="[^"]*" content="[^"]*" \/>$/);
});

test('bidirectional controls and line breaks do not reach the head, letters of every script and emoji do', () => {
  const [override, isolate] = ['\u202e', '\u2066'];
  expect(asText(`abc${override}def${isolate}ghi\nj\u0000k`)).toBe('abc def ghi j k');
  expect(asText('שלום مرحبا 船')).toBe('שלום مرحبا 船');
  const boats = '⛵'.repeat(32);
  expect(headFor(boats)).toContain(`<title>${boats} · Ship</title>`);
});

test('an endless text is cut, and never within a character', () => {
  expect([...asText('🚢'.repeat(1_000))]).toHaveLength(300);
});

test('a page that has no place for a head is refused', () => {
  expect(() => withHead('<head></head>', 'Ship', { title: 't', description: 'd', url: 'u' })).toThrow('no <!--head-->');
});
