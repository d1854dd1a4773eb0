import { describe, expect, it } from 'vitest';
import { parseLogo } from '../../../chain/storage/logo.ts';
import { parseDataUrl } from '../../../chain/storage/pictures/data-url.ts';
import type { PictureType } from '../../../chain/storage/pictures/picture.ts';
import { filesOfEveryFormat, SVG_BOMBS } from '../../support/bombs.ts';
import { dataUrl } from '../../support/images.ts';

const TYPES: readonly PictureType[] = ['image/png', 'image/jpeg', 'image/webp'];
const FILES = new Map([...(await filesOfEveryFormat()), ...SVG_BOMBS]);
const cases = [...FILES].flatMap(([what, bytes]) =>
  TYPES.filter((type) => type !== `image/${what}`).map((type) => ({ what, type, bytes })),
);

describe('a file of any other format is refused by its first bytes, before a decoder sees it', () => {
  it.each(cases)('$what declared as $type', ({ type, bytes }) => {
    expect(() => parseDataUrl(dataUrl(type, bytes))).toThrow(`is declared as ${type} but is`);
  });
});

describe('the three formats are taken', () => {
  it.each(TYPES)('%s', async (type) => {
    const bytes = FILES.get(type.replace('image/', '')) ?? Buffer.alloc(0);
    await expect(parseLogo(dataUrl(type, bytes))).resolves.toMatchObject({ type });
  });
});
