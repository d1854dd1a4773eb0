import { crc32 } from 'node:zlib';
import { animated, cutShort, refusedLogo } from './picture.ts';

/** Affect pixels; with lengths where a chunk could hide data (PNG third edition, section 11). */
const KEPT: Readonly<Record<string, (length: number) => boolean>> = {
  IHDR: (length) => length === 13,
  PLTE: (length) => length <= 768,
  IDAT: () => true,
  IEND: (length) => length === 0,
  tRNS: (length) => length <= 256,
  gAMA: (length) => length === 4,
  cHRM: (length) => length === 32,
  sRGB: (length) => length === 1,
  cICP: (length) => length === 4,
  sBIT: (length) => length <= 4,
  bKGD: (length) => length <= 6,
  pHYs: (length) => length === 9,
};

/** A wrong checksum here means damage; other chunks are dropped. */
const CRITICAL: ReadonlySet<string> = new Set(['IHDR', 'PLTE', 'IDAT', 'IEND']);

const SIGNATURE_BYTES = 8;
/** Length, type and checksum. */
const FRAME_BYTES = 12;

interface Chunk {
  readonly type: string;
  readonly length: number;
  readonly bytes: Buffer;
}

/** Throws AppError `invalid_request` for a truncated, damaged or animated file. */
export function cleanPng(png: Buffer): Buffer {
  const kept = [png.subarray(0, SIGNATURE_BYTES)];
  let before: string | undefined;
  for (let at = SIGNATURE_BYTES; before !== 'IEND';) {
    const chunk = chunkAt(png, at);
    if (before === undefined) assertBeginning(chunk);
    if (chunk.type === 'acTL') throw animated();
    if (isKept(chunk)) kept.push(chunk.bytes);
    at += chunk.bytes.length;
    before = chunk.type;
  }
  return Buffer.concat(kept);
}

function chunkAt(png: Buffer, at: number): Chunk {
  if (at + FRAME_BYTES > png.length) throw cutShort();
  const length = png.readUInt32BE(at);
  if (at + FRAME_BYTES + length > png.length) throw cutShort();
  return { type: png.toString('latin1', at + 4, at + 8), length, bytes: png.subarray(at, at + FRAME_BYTES + length) };
}

function assertBeginning({ type }: Chunk): void {
  if (type === 'IHDR') return;
  if (type === 'CgBI')
    throw refusedLogo("is a PNG in Apple's own form, which most programs cannot show; export it again");
  throw cutShort();
}

function isKept(chunk: Chunk): boolean {
  if (KEPT[chunk.type]?.(chunk.length) !== true) return false;
  if (hasRightChecksum(chunk)) return true;
  if (CRITICAL.has(chunk.type)) throw cutShort();
  return false;
}

function hasRightChecksum({ bytes }: Chunk): boolean {
  return crc32(bytes.subarray(4, -4)) === bytes.readUInt32BE(bytes.length - 4);
}
