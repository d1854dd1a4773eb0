import { createHash } from 'node:crypto';
import sharp, { type Metadata } from 'sharp';
import { AppError } from '../../domain/errors.ts';
import { LOGO_MAX_BYTES } from '../../domain/token-facts.ts';
import { inDecodeQueue } from './decode-queue.ts';
import type { StoredType } from './permanent-store.ts';

export type LogoType = Exclude<StoredType, 'application/json'>;

/** A logo that was decoded to its last pixel. */
export interface Logo {
  readonly bytes: Uint8Array;
  readonly type: LogoType;
  /** sha256 of the bytes, hex. */
  readonly hash: string;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

/** Largest side in pixels: wallets show logos at most a few hundred pixels wide. */
const MAX_SIDE = 2_048;

const FORMATS: Record<string, LogoType> = { png: 'image/png', jpeg: 'image/jpeg', webp: 'image/webp' };

/** Longest data URL that can hold an allowed logo: the prefix and 4 characters for every 3 bytes. */
const MAX_URL_LENGTH = 'data:image/jpeg;base64,'.length + Math.ceil(LOGO_MAX_BYTES / 3) * 4;

/**
 * Reads a logo out of a data URL. The URL must have exactly the form `data:<type>;base64,<payload>` with canonical base64,
 * and the payload must decode as one still image of the declared type.
 * Throws an AppError `invalid_request` that says what is wrong.
 */
export async function parseLogo(dataUrl: string): Promise<Logo> {
  return decodeLogo(parseDataUrl(dataUrl));
}

/**
 * Decodes a logo to its last pixel, a few at a time in this process. Throws an AppError: `invalid_request` that says what is wrong
 * with the image, `service_unavailable` where too many wait.
 */
export async function decodeLogo({ type, bytes }: Pick<Logo, 'type' | 'bytes'>): Promise<Logo> {
  const { width, height } = await checkHeader(bytes, type);
  await inDecodeQueue(() => readPixels(bytes));
  return { bytes, type, hash: logoHash(bytes), width, height };
}

/** sha256 of a logo's bytes, hex: what a quote is sealed with. */
export function logoHash(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** The declared type and the bytes of a logo's data URL, without looking into the image. Throws like `parseLogo`. */
export function parseDataUrl(dataUrl: string): Pick<Logo, 'type' | 'bytes'> {
  if (dataUrl.length > MAX_URL_LENGTH) throw tooLarge();
  const comma = dataUrl.indexOf(',');
  const type = /^data:(image\/(?:png|jpeg|webp));base64$/.exec(dataUrl.slice(0, Math.max(comma, 0)))?.[1];
  if (!isLogoType(type)) {
    throw invalid('must be a data URL "data:image/png;base64,…" of type image/png, image/jpeg or image/webp');
  }
  const payload = dataUrl.slice(comma + 1);
  const bytes = Buffer.from(payload, 'base64');
  // Node skips what is not base64; only a payload that encodes back to itself was read whole.
  if (bytes.toString('base64') !== payload) throw invalid('has a payload that is not canonical base64');
  if (bytes.length === 0) throw invalid('is empty');
  if (bytes.length > LOGO_MAX_BYTES) throw tooLarge();
  return { type, bytes };
}

/** What the header says decides first: it costs next to nothing, and pixels cost by their number. */
async function checkHeader(bytes: Uint8Array, declared: LogoType): Promise<{ width: number; height: number }> {
  const metadata = await readHeader(bytes);
  const actual = FORMATS[metadata.format ?? ''];
  if (actual !== declared) throw invalid(`is declared as ${declared} but is ${actual ?? 'of another format'}`);
  if ((metadata.pages ?? 1) > 1 || isAnimatedPng(bytes, declared))
    throw invalid('is animated; a still image is needed');
  const { width, height } = metadata;
  if (width > MAX_SIDE || height > MAX_SIDE) {
    throw invalid(`has ${width} x ${height} pixels; at most ${MAX_SIDE} x ${MAX_SIDE} are allowed`);
  }
  return { width, height };
}

async function readHeader(bytes: Uint8Array): Promise<Metadata> {
  try {
    // No pixel limit here: the header's own figures are compared below, which gives the better message.
    return await sharp(bytes, { failOn: 'warning', limitInputPixels: false }).metadata();
  } catch (error) {
    throw invalid('cannot be read as an image', error);
  }
}

/** Decodes every pixel, so that a file cut short or damaged in the middle is found. */
async function readPixels(bytes: Uint8Array): Promise<void> {
  try {
    await sharp(bytes, { failOn: 'warning', limitInputPixels: MAX_SIDE * MAX_SIDE, sequentialRead: true })
      .timeout({ seconds: 5 })
      .raw()
      .toBuffer();
  } catch (error) {
    throw invalid('is damaged or cut short', error);
  }
}

/** The decoder shows only the first frame of an animated PNG; its chunk `acTL` before the pixels gives it away. */
function isAnimatedPng(bytes: Uint8Array, type: LogoType): boolean {
  if (type !== 'image/png') return false;
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 8; at + 12 <= view.length; at += 12 + view.readUInt32BE(at)) {
    const chunk = view.toString('latin1', at + 4, at + 8);
    if (chunk === 'acTL') return true;
    if (chunk === 'IDAT') return false;
  }
  return false;
}

function isLogoType(type: string | undefined): type is LogoType {
  return type !== undefined && Object.values<string>(FORMATS).includes(type);
}

function tooLarge(): AppError {
  return invalid(`is larger than ${LOGO_MAX_BYTES / 1024} KB`);
}

function invalid(problem: string, cause?: unknown): AppError {
  return new AppError('invalid_request', `logo ${problem}`, { cause });
}
