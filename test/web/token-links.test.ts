import { describe, expect, it } from 'vitest';
import { namedLinks } from '../../web/format/token-links.ts';

describe('a link on the page of a token is called by where it leads', () => {
  it.each([
    ['twitter', 'https://x.com/harbour', 'X'],
    ['twitter', 'https://twitter.com/harbour', 'X'],
    ['twitter', 'https://mobile.twitter.com/harbour', 'X'],
    ['twitter', 'https://evil.example.com/not-twitter', 'Website'],
    ['twitter', 'https://x.com.evil.io/harbour', 'Website'],
    ['twitter', 'https://notx.com/harbour', 'Website'],
    ['twitter', 'https://t.me/harbour', 'Website'],
    ['telegram', 'https://t.me/harbour', 'Telegram'],
    ['telegram', 'https://harbour.t.me', 'Telegram'],
    ['telegram', 'https://telegram.me/harbour', 'Telegram'],
    ['telegram', 'https://evil.example.com/login', 'Website'],
    ['telegram', 'not a link', 'Website'],
    ['website', 'https://x.com/harbour', 'Website'],
  ] as const)('%s %s: %s', (field, url, name) => {
    expect(namedLinks({ [field]: url })).toEqual([[name, url]]);
  });
});
