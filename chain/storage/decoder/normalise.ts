import type { Metadata, Sharp, SharpOptions } from 'sharp';
import { LOGO_MAX_BYTES } from '../../../domain/token-facts.ts';
import { cleanPicture } from '../pictures/clean-picture.ts';
import { animated, type Picture, type PictureType, refusedLogo } from '../pictures/picture.ts';
import { sharpWithThreeLoaders } from './three-loaders.ts';

const sharp = sharpWithThreeLoaders();

/** Wallets show a few hundred. */
const MAX_SIDE = 2_048;

const FORMATS: Readonly<Record<string, PictureType>> = { png: 'image/png', jpeg: 'image/jpeg', webp: 'image/webp' };

/** Tolerance of 256 for conversions, which round; a larger difference needs a colour profile. */
const ROUNDING = 3;

/** Qualities, tried in this order until the picture is small enough. */
const QUALITIES = [92, 85, 75, 60];

/** `cleanPicture` checked the rest of the file. */
const LENIENT: SharpOptions = { failOn: 'none' };

export interface NormalPicture {
  readonly picture: Picture;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

/**
 * Returns a picture without metadata, upright, sRGB, fully decoded. It is re-encoded only if metadata rotates it or it
 * has its own colours. Deterministic. Throws AppError `invalid_request`.
 */
export async function normalise(sent: Picture): Promise<NormalPicture> {
  const clean = cleanPicture(sent);
  const { width, height } = await checkHeader(clean);
  await readPixels(clean);
  const header = await sharp(sent.bytes, LENIENT).metadata();
  if (isUpright(header) && !(await hasOwnColours(sent, header))) return { picture: clean, width, height };
  const picture = await encodeAnew(sent, header);
  return isUpright(header) || !isTurnedSideways(header)
    ? { picture, width, height }
    : { picture, width: height, height: width };
}

/** Checks the header first: that is cheap, and decoding costs by pixel count. */
async function checkHeader({ type, bytes }: Picture): Promise<{ width: number; height: number }> {
  const { format, pages = 1, width, height } = await readHeader(bytes);
  const actual = FORMATS[format];
  if (actual !== type) throw refusedLogo(`is declared as ${type} but is ${actual ?? 'of another format'}`);
  if (pages > 1) throw animated();
  if (width > MAX_SIDE || height > MAX_SIDE) {
    throw refusedLogo(`has ${width} x ${height} pixels; at most ${MAX_SIDE} x ${MAX_SIDE} are allowed`);
  }
  return { width, height };
}

async function readHeader(bytes: Buffer): Promise<Metadata> {
  try {
    // No pixel limit: comparing the header's figures gives a better message.
    return await sharp(bytes, { failOn: 'warning', limitInputPixels: false }).metadata();
  } catch (error) {
    throw refusedLogo('cannot be read as an image', error);
  }
}

async function readPixels({ bytes }: Picture): Promise<void> {
  try {
    await sharp(bytes, { failOn: 'warning', limitInputPixels: MAX_SIDE * MAX_SIDE, sequentialRead: true })
      .raw()
      .toBuffer();
  } catch (error) {
    throw refusedLogo('is damaged or cut short', error);
  }
}

function isUpright({ orientation = 1 }: Metadata): boolean {
  return orientation === 1;
}

/** True for EXIF orientations 5 to 8. */
function isTurnedSideways({ orientation = 1 }: Metadata): boolean {
  return orientation >= 5;
}

/** True for CMYK, or a profile that changes the look. */
async function hasOwnColours({ bytes }: Picture, { space, icc }: Metadata): Promise<boolean> {
  if (space === 'cmyk') return true;
  if (icc === undefined) return false;
  const [seen, plain] = await Promise.all([srgb(bytes, LENIENT), srgb(bytes, { ...LENIENT, ignoreIcc: true })]);
  return plain.some((value, index) => Math.abs(value - (seen[index] ?? 0)) > ROUNDING);
}

function srgb(bytes: Buffer, options: SharpOptions): Promise<Buffer> {
  return sharp(bytes, options).toColourspace('srgb').raw().toBuffer();
}

async function encodeAnew({ type, bytes }: Picture, header: Metadata): Promise<Picture> {
  const source = () => sharp(bytes, LENIENT).autoOrient().toColourspace('srgb');
  for (const encode of ENCODINGS[type](header, bytes)) {
    const encoded = cleanPicture({ type, bytes: await encode(source()).toBuffer() });
    if (encoded.bytes.length <= LOGO_MAX_BYTES) return encoded;
  }
  throw refusedLogo(
    `is larger than ${LOGO_MAX_BYTES / 1024} KB once it stands upright without metadata; send it upright, or smaller`,
  );
}

type Encode = (source: Sharp) => Sharp;

/** Encodings, tried in order; lossless stays lossless. */
const ENCODINGS: Readonly<Record<PictureType, (header: Metadata, bytes: Buffer) => Encode[]>> = {
  'image/png': () => [(source) => source.png({ compressionLevel: 9, adaptiveFiltering: true })],
  'image/jpeg': ({ chromaSubsampling = '4:2:0', isProgressive = false }) =>
    QUALITIES.map(
      (quality) => (source) =>
        source.jpeg({
          quality,
          progressive: isProgressive,
          chromaSubsampling: chromaSubsampling === '4:4:4' ? '4:4:4' : '4:2:0',
        }),
    ),
  'image/webp': (_header, bytes) =>
    bytes.includes('VP8L')
      ? [(source) => source.webp({ lossless: true })]
      : QUALITIES.map((quality) => (source) => source.webp({ quality, alphaQuality: 100 })),
};
