import { gzipSync } from 'node:zlib';
import sharp, { type FormatEnum } from 'sharp';
import { image } from './images.ts';

/** How a file of each format begins that this build of libvips reads but does not write. */
const BEGINNINGS: Readonly<Record<string, string | Buffer>> = {
  svg: '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>',
  pdf: '%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF',
  ppm: `P6 4 4 255\n${'a'.repeat(48)}`,
  fits: `${'SIMPLE  =                    T'.padEnd(80)}${'BITPIX  =                    8'.padEnd(80)}${'END'.padEnd(80)}`,
  rad: '#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 4 +X 4\n',
  vips: Buffer.from('08f2a6b6', 'hex'),
  jp2: Buffer.from('0000000c6a5020200d0a870a', 'hex'),
  jxl: Buffer.from('0000000c4a584c200d0a870a', 'hex'),
  openslide: Buffer.from('49492a0008000000', 'hex'),
  dcraw: Buffer.from('49492a00100000004352', 'hex'),
  magick: 'id=ImageMagick version=1.0\n',
  dz: '<?xml version="1.0"?><Image TileSize="254"/>',
  raw: Buffer.alloc(64, 9),
};

/** A file of each format that `sharp.format` lists: real where it can be written, else what the format begins with. */
export async function filesOfEveryFormat(): Promise<ReadonlyMap<string, Buffer>> {
  const files = new Map<string, Buffer>();
  for (const format of Object.keys(sharp.format)) files.set(format, await fileOf(format));
  return files;
}

async function fileOf(format: string): Promise<Buffer> {
  const beginning = BEGINNINGS[format];
  if (beginning !== undefined) return Buffer.from(beginning);
  const picture = sharp(await image('png'));
  if (format === 'heif') return picture.heif({ compression: 'av1' }).toBuffer();
  if (!isWritten(format)) throw new Error(`no file of the format ${format} is known to this test`);
  return picture.toFormat(format).toBuffer();
}

function isWritten(format: string): format is keyof FormatEnum {
  return ['png', 'jpeg', 'webp', 'gif', 'tiff'].includes(format);
}

const svg = (inner: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">${inner}</svg>`;

/** SVGs of a few kB that cost their reader seconds, or gigabytes. */
export const SVG_BOMBS: ReadonlyMap<string, Buffer> = new Map([
  [
    'twenty levels of <use>',
    Buffer.from(
      svg(
        `<g id="a0"><rect width="1" height="1"/></g>${Array.from(
          { length: 20 },
          (_, level) => `<g id="a${level + 1}">${`<use xlink:href="#a${level}"/>`.repeat(10)}</g>`,
        ).join('')}<use xlink:href="#a20"/>`,
      ),
    ),
  ],
  ['a line of 250,000 letters', Buffer.from(svg(`<text font-size="300">${'W'.repeat(250_000)}</text>`))],
  ['gzipped elements', gzipSync(svg('<g/>'.repeat(1_000_000)), { level: 9 })],
]);
