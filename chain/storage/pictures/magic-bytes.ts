import { type Picture, type PictureType, refusedLogo } from './picture.ts';

/** PNG section 5.2, JPEG Annex B, RFC 9649; latin1. */
const BEGINNINGS: Readonly<Record<PictureType, RegExp>> = {
  'image/png': /^\x89PNG\r\n\x1a\n/,
  'image/jpeg': /^\xff\xd8\xff/,
  'image/webp': /^RIFF[^]{4}WEBP/,
};

/** Formats named in the refusal. */
const OTHERS: Readonly<Record<string, RegExp>> = {
  GIF: /^GIF8/,
  SVG: /^(?:\xef\xbb\xbf)?\s*<(?:svg|\?xml|!)/i,
  'HEIC or AVIF': /^[^]{4}ftyp(?:hei|hev|mif|msf|avi)/,
  BMP: /^BM/,
  TIFF: /^(?:II\*\0|MM\0\*)/,
  PDF: /^%PDF/,
};

/** Every pattern, and white space before an SVG. */
const LOOKED_AT = 64;

/** Checks the first bytes before any decoder runs. Throws AppError `invalid_request`. */
export function checkMagicBytes({ type, bytes }: Picture): void {
  const beginning = bytes.toString('latin1', 0, LOOKED_AT);
  if (BEGINNINGS[type].test(beginning)) return;
  const [actual] = Object.entries(BEGINNINGS).find(([, begins]) => begins.test(beginning)) ?? [];
  const [other] = Object.entries(OTHERS).find(([, begins]) => begins.test(beginning)) ?? [];
  const is = actual ?? (other === undefined ? 'of another format' : `of another format (${other})`);
  throw refusedLogo(`is declared as ${type} but is ${is}`);
}
