import { describe, expect, it } from 'vitest';
import { parsePublicLink, parseSocialLink } from '../../domain/launch/links.ts';

describe('a link in permanent metadata', () => {
  it.each([
    ['https://harbour.io', 'https://harbour.io/'],
    ['https://x.com/harbour?a=1#b', 'https://x.com/harbour?a=1#b'],
    ['HTTPS://T.ME/Harbour', 'https://t.me/Harbour'],
    ['https://bücher.de', 'https://xn--bcher-kva.de/'],
    ['https://a.b.co.uk:8443/x', 'https://a.b.co.uk:8443/x'],
  ])('%s is kept as %s', (link, kept) => {
    expect(parsePublicLink('website', link)).toBe(kept);
  });

  it.each([
    ['', 'is not a public HTTPS URL'],
    ['harbour.io', 'is not a public HTTPS URL'],
    ['http://harbour.io', 'is not a public HTTPS URL'],
    ['javascript:alert(1)', 'is not a public HTTPS URL'],
    ['data:text/html,hi', 'is not a public HTTPS URL'],
    ['ftp://harbour.io', 'is not a public HTTPS URL'],
    ['https://user:pass@harbour.io', 'user name or password'],
    ['https://user@harbour.io', 'user name or password'],
    ['https://localhost', 'is not public'],
    ['https://localhost.', 'is not public'],
    ['https://harbour', 'is not public'],
    ['https://shop.internal', 'is not public'],
    ['https://printer.local', 'is not public'],
    ['https://127.0.0.1', 'is not public'],
    ['https://2130706433', 'is not public'],
    ['https://0x7f.1', 'is not public'],
    ['https://[::1]/', 'is not public'],
    ['https://8.8.8.8', 'is not public'],
    [`https://harbour.io/${'x'.repeat(200)}`, 'at most 200'],
  ])('%s is refused: %s', (link, problem) => {
    expect(() => parsePublicLink('website', link)).toThrow(problem);
    expect(() => parsePublicLink('website', link)).toThrow(
      expect.objectContaining({ code: 'invalid_request' }) as Error,
    );
  });

  it('names the field and the value that are wrong', () => {
    expect(() => parsePublicLink('telegram', 'http://t.me/x')).toThrow('telegram "http://t.me/x"');
  });
});

describe('a social link', () => {
  it.each([
    ['twitter', '@harbour', 'https://x.com/harbour'],
    ['twitter', '  @harbour_1  ', 'https://x.com/harbour_1'],
    ['twitter', 'x.com/harbour', 'https://x.com/harbour'],
    ['twitter', 'www.twitter.com/harbour', 'https://twitter.com/harbour'],
    ['twitter', 'http://x.com/harbour', 'https://x.com/harbour'],
    ['twitter', 'https://x.com/harbour/status/1?s=20', 'https://x.com/harbour/status/1?s=20'],
    ['twitter', 'https://mobile.twitter.com/harbour', 'https://mobile.twitter.com/harbour'],
    ['telegram', 'https://harbour.t.me', 'https://harbour.t.me/'],
    ['telegram', '@harbour', 'https://t.me/harbour'],
    ['telegram', 'T.me/Harbour', 'https://t.me/Harbour'],
    ['telegram', 'telegram.me/harbour', 'https://telegram.me/harbour'],
  ] as const)('of %s, %s, leads to %s', (field, link, kept) => {
    expect(parseSocialLink(field, link)).toBe(kept);
  });

  it.each([
    ['twitter', 'harbour'],
    ['twitter', '@'],
    ['twitter', '@har bour'],
    ['twitter', `@${'x'.repeat(65)}`],
    ['twitter', 't.me/harbour'],
    ['telegram', 'x.com/harbour'],
    ['twitter', 'https://harbour.io/news'],
    ['twitter', 'https://t.me/harbour'],
    ['twitter', 'https://x.com.evil.io/harbour'],
    ['twitter', 'https://notx.com/harbour'],
    ['telegram', 'https://evil.example.com/login'],
    ['twitter', 'x.com.evil.io/harbour'],
    ['twitter', 'x.com@evil.io/harbour'],
    ['twitter', 'http://harbour.io'],
    ['telegram', 'javascript:alert(1)'],
    ['telegram', 'tg://resolve?domain=harbour'],
    ['twitter', 'https://user@x.com/harbour'],
  ] as const)('of %s is refused where it leads nowhere or elsewhere: %s', (field, link) => {
    expect(() => parseSocialLink(field, link)).toThrow(
      expect.objectContaining({ code: 'invalid_request', message: expect.stringContaining(field) as string }) as Error,
    );
  });
});
