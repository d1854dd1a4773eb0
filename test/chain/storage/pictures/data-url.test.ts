import { describe, expect, it } from 'vitest';
import { parseDataUrl } from '../../../../chain/storage/pictures/data-url.ts';
import { image } from '../../../support/images.ts';

const png = await image('png');
const jpeg = await image('jpeg');
const webp = await image('webp');
// A payload with padding, so that it can be missing.
const padded = Buffer.concat([jpeg, Buffer.alloc(1 + ((3 - (jpeg.length % 3)) % 3))]);
const text = png.toString('base64');
const lines = (every: number, end: string) => text.replace(new RegExp(`.{${every}}`, 'g'), (line) => line + end);

const SPELLINGS: readonly [how: string, url: string, bytes: Buffer][] = [
  ['a parameter', `data:image/png;charset=utf-8;base64,${text}`, png],
  ['a file name', `data:image/png;name=logo.png;base64,${text}`, png],
  ['a quoted parameter', `data:image/png;name="my logo";x=1;base64,${text}`, png],
  ['its type in capitals', `data:IMAGE/PNG;base64,${text}`, png],
  ['all in capitals', `DATA:image/png;BASE64,${text}`, png],
  ['spaces between its parts', `data:image/png; base64 ,${text}`, png],
  ['white space around it', ` data:image/png;base64,${text}\r\n`, png],
  ['image/jpg', `data:image/jpg;base64,${jpeg.toString('base64')}`, jpeg],
  ['image/pjpeg', `data:image/pjpeg;base64,${jpeg.toString('base64')}`, jpeg],
  ['image/jfif', `data:image/jfif;base64,${jpeg.toString('base64')}`, jpeg],
  ['a byte order mark before it', `\ufeffdata:image/png;base64,${text}`, png],
  ['percent-encoded line breaks', `data:image/png;base64,${lines(76, '%0D%0A')}`, png],
  ['an empty parameter', `data:image/png;;base64,${text}`, png],
  ['image/x-png', `data:image/x-png;base64,${text}`, png],
  ['lines of 76 characters', `data:image/png;base64,${lines(76, '\n')}\n`, png],
  ['lines of 64 characters and CR LF', `data:image/png;base64,${lines(64, '\r\n')}`, png],
  ['indented lines', `data:image/png;base64,${lines(60, '\n    ')}`, png],
  ['no padding', `data:image/jpeg;base64,${padded.toString('base64').replace(/=+$/, '')}`, padded],
  ['the URL-safe alphabet', `data:image/webp;base64,${webp.toString('base64url')}`, webp],
  ['percent-encoding', `data:image/webp;base64,${encodeURIComponent(webp.toString('base64'))}`, webp],
];

describe('a data URL has one reading', () => {
  it.each(SPELLINGS)('with %s', (_how, url, bytes) => {
    expect(parseDataUrl(url).bytes.equals(bytes)).toBe(true);
  });

  it('and its type is the registered one', () => {
    expect(parseDataUrl(`data:image/jpg;base64,${jpeg.toString('base64')}`).type).toBe('image/jpeg');
  });

  it('512 KB in lines of 64 characters are read', () => {
    const large = Buffer.concat([png, Buffer.alloc(512 * 1024 - png.length, 0xab)]);
    const payload = large.toString('base64').replace(/.{64}/g, (line) => `${line}\r\n`);
    expect(parseDataUrl(`data:image/png;base64,${payload}`).bytes.equals(large)).toBe(true);
  });
});

describe('a data URL that is refused says which part is wrong', () => {
  it.each([
    ['data:image/gif;base64,R0lG', 'of type image/gif'],
    ['data:image/png;base64;charset=utf-8,R0lG', 'must be a data URL'],
    ['data:image/png,%89PNG', 'must be a data URL'],
    ['data:image/svg+xml;base64,R0lG', 'of type image/svg+xml'],
    ['data:application/octet-stream;base64,R0lG', 'of type application/octet-stream'],
    ['data:None;base64,R0lG', 'must be a data URL'],
    ['R0lGODlhAQABAAAAACw=', 'must be a data URL'],
    ["b'R0lGODlhAQABAAAAACw='", 'must be a data URL'],
    ['data:image/png;base64,', 'is empty'],
    ['data:;base64,R0lG', 'must be a data URL'],
    ['data:image/png;base64,R0*G', 'not base64'],
    ['data:image/png;base64,R0=G', 'not base64'],
    ['data:image/png;base64,R0lGR', 'not base64'],
  ])('%s', (url, problem) => {
    expect(() => parseDataUrl(url)).toThrow(problem);
  });
});
