import { cleanJpeg } from './clean-jpeg.ts';
import { cleanPng } from './clean-png.ts';
import { cleanWebp } from './clean-webp.ts';
import { checkMagicBytes } from './magic-bytes.ts';
import type { Picture, PictureType } from './picture.ts';

const CLEANERS: Readonly<Record<PictureType, (bytes: Buffer) => Buffer>> = {
  'image/png': cleanPng,
  'image/jpeg': cleanJpeg,
  'image/webp': cleanWebp,
};

/**
 * Removes EXIF, XMP, location, text, profile, trailing bytes; leaves a clean picture unchanged. Linear time, no
 * decoding. Throws AppError `invalid_request` for a truncated, damaged or animated file.
 */
export function cleanPicture(picture: Picture): Picture {
  checkMagicBytes(picture);
  const { type, bytes } = picture;
  return { type, bytes: CLEANERS[type](bytes) };
}

/** Throws like `cleanPicture`. */
export function isClean(picture: Picture): boolean {
  return cleanPicture(picture).bytes.equals(picture.bytes);
}
