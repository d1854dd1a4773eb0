import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { parseLogo } from '../../../chain/storage/logo.ts';
import { LOGO_MAX_BYTES } from '../../../domain/token-facts.ts';
import { animatedWebp, asAnimatedPng, dataUrl, image, pngChunk, pngOfZeros } from '../../support/images.ts';

const png = await image('png');
const jpeg = await image('jpeg');
const webp = await image('webp');
const encoded = png.toString('base64');

/** The image padded behind its end to exactly this size. */
function padded(bytes: Buffer, size: number): Buffer {
  return Buffer.concat([
    bytes.subarray(0, -12),
    pngChunk('tEXt', Buffer.alloc(size - bytes.length - 12, 65)),
    bytes.subarray(-12),
  ]);
}

describe('a logo is read from its data URL', () => {
  it.each([
    ['image/png', png],
    ['image/jpeg', jpeg],
    ['image/webp', webp],
  ])('%s without metadata is stored byte for byte, with hash and size', async (type, bytes) => {
    const logo = await parseLogo(dataUrl(type, bytes));
    const hash = createHash('sha256').update(bytes).digest('hex');
    expect(logo).toMatchObject({ type, width: 64, height: 48, hash, storedHash: hash });
    expect(logo.bytes.equals(bytes)).toBe(true);
  });

  it('512 KB may be sent, one byte more is refused', async () => {
    await expect(parseLogo(dataUrl('image/png', padded(png, LOGO_MAX_BYTES)))).resolves.toMatchObject({ width: 64 });
    await expect(parseLogo(dataUrl('image/png', padded(png, LOGO_MAX_BYTES + 1)))).rejects.toThrow(
      'larger than 512 KB',
    );
  });
});

const malformed: [name: string, url: string, message: string][] = [
  ['an empty string', '', 'data URL'],
  ['a plain URL', 'https://example.com/logo.png', 'data URL'],
  ['no comma', 'data:image/png;base64', 'data URL'],
  ['no base64 marker', `data:image/png,${encoded}`, 'data URL'],
  ['another type', `data:image/gif;base64,${encoded}`, 'data URL'],
  ['SVG', 'data:image/svg+xml;base64,PHN2Zy8+', 'data URL'],
  ['an empty payload', 'data:image/png;base64,', 'empty'],
  ['characters of no alphabet', 'data:image/png;base64,a!b?', 'not base64'],
  ['half of its padding', 'data:image/png;base64,QQ=', 'not base64'],
  ['percent-encoding cut short', 'data:image/png;base64,QQ%3', 'not base64'],
  ['bits set in the padding', 'data:image/png;base64,QR==', 'not base64'],
  ['text behind the padding', `data:image/png;base64,QQ==QQ==`, 'not base64'],
  ['a second comma', `data:image/png;base64,,${encoded}`, 'not base64'],
  ['text instead of an image', dataUrl('image/png', Buffer.from('not an image')), 'of another format'],
  ['a PNG signature alone', dataUrl('image/png', png.subarray(0, 8)), 'cut short'],
  ['PNG declared as JPEG', dataUrl('image/jpeg', png), 'declared as image/jpeg but is image/png'],
  ['JPEG declared as WebP', dataUrl('image/webp', jpeg), 'declared as image/webp but is image/jpeg'],
  ['GIF declared as PNG', dataUrl('image/png', await image('gif')), 'of another format'],
  ['SVG declared as PNG', dataUrl('image/png', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')), '(SVG)'],
  ['a PNG cut in half', dataUrl('image/png', png.subarray(0, png.length / 2)), 'damaged'],
  ['a JPEG cut in half', dataUrl('image/jpeg', jpeg.subarray(0, jpeg.length / 2)), 'damaged'],
  ['a WebP cut in half', dataUrl('image/webp', webp.subarray(0, webp.length / 2)), 'cut short'],
  ['a PNG without its rows', dataUrl('image/png', pngOfZeros(64, 64, 8)), 'damaged'],
  ['a PNG with a wrong checksum', dataUrl('image/png', flipped(png, png.length / 2)), 'damaged'],
  ['an animated WebP', dataUrl('image/webp', await animatedWebp()), 'animated'],
  ['an animated PNG', dataUrl('image/png', asAnimatedPng(png)), 'animated'],
  ['a side too long', dataUrl('image/png', pngOfZeros(2_049, 1)), '2049 x 1 pixels'],
  ['a small file of many pixels', dataUrl('image/png', pngOfZeros(4_096, 4_096)), '4096 x 4096 pixels'],
  ['a pixel bomb', dataUrl('image/png', pngOfZeros(20_000, 20_000, 2_000)), '20000 x 20000 pixels'],
  ['a payload far beyond the limit', `data:image/png;base64,${'A'.repeat(4_000_000)}`, 'larger than 512 KB'],
];

function flipped(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[Math.floor(at)] = (copy[Math.floor(at)] ?? 0) ^ 0xff;
  return copy;
}

describe('a malformed logo is refused with what is wrong', () => {
  it.each(malformed)('%s', async (_name, url, message) => {
    await expect(parseLogo(url)).rejects.toMatchObject({
      name: 'AppError',
      code: 'invalid_request',
      message: expect.stringMatching(/^logo /) as string,
    });
    await expect(parseLogo(url)).rejects.toThrow(message);
  });
});
