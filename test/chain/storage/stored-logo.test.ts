import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { OURSELVES } from '../../../domain/places.ts';
import { parseLogo, storedForm } from '../../../chain/storage/logo.ts';
import { isClean } from '../../../chain/storage/pictures/clean-picture.ts';
import { parseDataUrl } from '../../../chain/storage/pictures/data-url.ts';
import { dataUrl, image } from '../../support/images.ts';
import { photograph, photographInP3, quirkyPhotographs, talkativePng, TELLTALES } from '../../support/photographs.ts';

const QUIRKY = await quirkyPhotographs();
const FORMATS = ['png', 'jpeg', 'webp'] as const;
const store = (format: string, bytes: Buffer) => parseLogo(dataUrl(`image/${format}`, bytes));
const pixels = (bytes: Buffer) => sharp(bytes, { failOn: 'none' }).removeAlpha().raw().toBuffer();

/** The greatest difference of a channel. */
async function difference(one: Buffer, other: Buffer): Promise<number> {
  const [a, b] = await Promise.all([pixels(one), pixels(other)]);
  expect(a).toHaveLength(b.length);
  return a.reduce((most, value, index) => Math.max(most, Math.abs(value - (b[index] ?? 0))), 0);
}

describe('a stored logo carries no metadata, and its pixels are those that were sent', () => {
  it.each(FORMATS)('%s of a phone', async (format) => {
    const sent = await photograph(format);
    const { type, bytes, hash, storedHash } = await store(format, sent);
    expect(sent.toString('latin1')).toMatch(TELLTALES);
    expect(bytes.toString('latin1')).not.toMatch(TELLTALES);
    expect(isClean({ type, bytes })).toBe(true);
    expect(storedHash).not.toBe(hash);
    const { exif, icc, xmp, orientation } = await sharp(bytes).metadata();
    expect({ exif, icc, xmp, orientation }).toEqual({});
    expect(await difference(bytes, sent)).toBe(0);
  });

  it('PNG with every chunk that says something', async () => {
    const sent = await talkativePng();
    const { bytes } = await store('png', sent);
    expect(bytes.toString('latin1')).not.toMatch(TELLTALES);
    expect(await difference(bytes, sent)).toBe(0);
  });

  it.each(QUIRKY)('JPEG with %s', async (_what, sent) => {
    const { type, bytes } = await store('jpeg', sent);
    expect(bytes.toString('latin1')).not.toMatch(TELLTALES);
    expect(isClean({ type, bytes })).toBe(true);
    expect(await difference(bytes, sent)).toBe(0);
  });
});

describe('a stored logo stands upright', () => {
  const turned = [1, 2, 3, 4, 5, 6, 7, 8].flatMap((orientation) => FORMATS.map((format) => ({ format, orientation })));

  it.each(turned)('$format with orientation $orientation', async ({ format, orientation }) => {
    const sent = await photograph(format, orientation);
    const { bytes, width, height } = await store(format, sent);
    const shown = await sharp(sent).autoOrient().toBuffer({ resolveWithObject: true });
    expect({ width, height }).toEqual({ width: shown.info.width, height: shown.info.height });
    expect((await sharp(bytes).metadata()).orientation).toBeUndefined();
    const seen = await sharp(sent).autoOrient().png().toBuffer();
    expect(await difference(bytes, seen)).toBeLessThan(format === 'png' ? 1 : 60);
  });

  it('and the same bytes give the same stored bytes, at prepare and at submit', async () => {
    const url = dataUrl('image/jpeg', await photograph('jpeg', 6));
    const [one, other] = await Promise.all([parseLogo(url), parseLogo(url)]);
    expect(one.storedHash).toBe(other.storedHash);
    expect((await storedForm(parseDataUrl(url), one.storedHash, OURSELVES))?.equals(one.bytes)).toBe(true);
    expect(await storedForm(parseDataUrl(url), one.hash, OURSELVES)).toBeNull();
  });
});

describe('a stored logo looks the same without its colour profile', () => {
  it.each(FORMATS)('%s in Display P3', async (format) => {
    const sent = await photographInP3(format);
    const { bytes } = await store(format, sent);
    expect((await sharp(bytes).metadata()).icc).toBeUndefined();
    const plain = await sharp(sent, { ignoreIcc: true }).png().toBuffer();
    expect(await difference(plain, sent)).toBeGreaterThan(20);
    expect(await difference(bytes, sent)).toBeLessThan(10);
  });

  it('and one in sRGB keeps its pixels as they were encoded', async () => {
    const plain = await image('jpeg');
    const sent = await sharp(plain).keepIccProfile().withIccProfile('srgb').jpeg().toBuffer();
    const { bytes } = await store('jpeg', sent);
    expect(sent.includes(bytes.subarray(-500))).toBe(true);
  });
});

describe('a damaged photograph is refused in words', () => {
  it.each([
    ['cut in its pixels', (jpeg: Buffer) => jpeg.subarray(0, -100)],
    ['cut in its header', (jpeg: Buffer) => jpeg.subarray(0, 100)],
    ['without its pixels', (jpeg: Buffer) => jpeg.subarray(0, jpeg.lastIndexOf(Buffer.from([0xff, 0xda])))],
    ['of a start and an end', () => Buffer.from([0xff, 0xd8, 0xff, 0xd9])],
    ['of a length that leads beyond it', () => Buffer.from([0xff, 0xd8, 0xff, 0xe1, 0xff, 0xff, 0x00])],
  ])('%s', async (_what, damage) => {
    await expect(store('jpeg', damage(await photograph('jpeg')))).rejects.toThrow('is damaged or cut short');
  });

  it('progressive, and cut between two scans', async () => {
    const jpeg = await sharp(await image('png'))
      .jpeg({ progressive: true })
      .toBuffer();
    const cut = jpeg.subarray(0, jpeg.lastIndexOf(Buffer.from([0xff, 0xc4])));
    await expect(store('jpeg', cut)).rejects.toThrow('is damaged or cut short');
  });
});
