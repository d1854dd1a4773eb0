import { LOGO_MAX_BYTES } from '../../../domain/token-facts.ts';
import { checkMagicBytes } from './magic-bytes.ts';
import { type Picture, type PictureType, refusedLogo } from './picture.ts';

const TYPES: Readonly<Record<string, PictureType>> = {
  'image/png': 'image/png',
  'image/x-png': 'image/png',
  'image/jpeg': 'image/jpeg',
  'image/jpg': 'image/jpeg',
  'image/jpe': 'image/jpeg',
  'image/jfif': 'image/jpeg',
  'image/pipeg': 'image/jpeg',
  'image/pjpeg': 'image/jpeg',
  'image/webp': 'image/webp',
};

const MAX_BASE64 = Math.ceil(LOGO_MAX_BYTES / 3) * 4;

/** Line breaks, percent-encoding and parameters come on top. */
const MAX_URL_LENGTH = 2 * MAX_BASE64;

/** Data URL up to the comma. */
const HEADER = /^data:\s*([a-z]+\/[a-z0-9.+-]+)\s*(?:;[^;]*)*;\s*base64\s*$/i;

/**
 * RFC 2397 as WHATWG Fetch reads it: any case, parameters, white space, percent-encoding, optional padding, URL-safe
 * alphabet. First bytes must match the type. Throws an AppError `invalid_request` that names the wrong part.
 */
export function parseDataUrl(dataUrl: string): Picture {
  if (dataUrl.length > MAX_URL_LENGTH) throw tooLarge();
  const url = dataUrl.trim();
  const comma = url.indexOf(',');
  const type = typeIn(url.slice(0, Math.max(comma, 0)));
  const picture = { type, bytes: decodeBase64(url.slice(comma + 1)) };
  checkMagicBytes(picture);
  return picture;
}

function typeIn(header: string): PictureType {
  const declared = HEADER.exec(header)?.[1]?.toLowerCase();
  if (declared === undefined) {
    throw refusedLogo('must be a data URL "data:image/png;base64,…" of type image/png, image/jpeg or image/webp');
  }
  const type = TYPES[declared];
  if (type === undefined) {
    throw refusedLogo(`is a data URL of type ${declared}; image/png, image/jpeg or image/webp is needed`);
  }
  return type;
}

function decodeBase64(payload: string): Buffer {
  const text = withoutPadding(plainAlphabet(payload));
  if (text === '') throw refusedLogo('is empty');
  if (text.length > MAX_BASE64) throw tooLarge();
  const bytes = Buffer.from(text, 'base64');
  // Node skips invalid base64: compare by encoding back.
  if (withoutPadding(bytes.toString('base64')) !== text) throw notBase64();
  if (bytes.length > LOGO_MAX_BYTES) throw tooLarge();
  return bytes;
}

function plainAlphabet(payload: string): string {
  return percentDecoded(payload)
    .replace(/[\t\n\f\r ]+/g, '')
    .replaceAll('-', '+')
    .replaceAll('_', '/');
}

function percentDecoded(payload: string): string {
  if (!payload.includes('%')) return payload;
  try {
    return decodeURIComponent(payload);
  } catch (error) {
    if (error instanceof URIError) throw notBase64();
    throw error;
  }
}

/** Removes padding, which is optional, but complete and at the end. */
function withoutPadding(text: string): string {
  const padded = /^([^=]*)={1,2}$/.exec(text)?.[1];
  if (padded === undefined) return text;
  if (text.length % 4 !== 0) throw notBase64();
  return padded;
}

function notBase64() {
  return refusedLogo('has a payload that is not base64');
}

function tooLarge() {
  return refusedLogo(`is larger than ${LOGO_MAX_BYTES / 1024} KB`);
}
