import { cutShort } from './picture.ts';

/** ISO/IEC 10918-1, table B.1. */
const MARKER = { SOF0: 0xc0, SOF1: 0xc1, SOI: 0xd8, EOI: 0xd9, SOS: 0xda, APP0: 0xe0, APP14: 0xee } as const;

/** Huffman tables, arithmetic conditioning, quantization, number of lines, restart interval. */
const TABLES: ReadonlySet<number> = new Set([0xc4, 0xcc, 0xdb, 0xdc, 0xdd]);

/** Two tables and one reserved code. */
const NO_FRAME: ReadonlySet<number> = new Set([0xc4, 0xc8, 0xcc]);

const END = Buffer.from([0xff, MARKER.EOI]);

interface Reading {
  readonly kept: Buffer[];
  /** How a scan must look. */
  frame: Buffer | null;
  scans: number;
  lastScan: Buffer | null;
  hasJfif: boolean;
}

/**
 * Pixels stay untouched. Keeps what decoding needs, JFIF without thumbnail, Adobe's colour transform. Drops EXIF, XMP,
 * IPTC, profiles, comments, everything after the end. Repairs phones' errors: bytes between segments, a sequential
 * scan's spectral selection, a missing end. Throws AppError `invalid_request`.
 */
export function cleanJpeg(jpeg: Buffer): Buffer {
  const reading: Reading = {
    kept: [jpeg.subarray(0, 2)],
    frame: null,
    scans: 0,
    lastScan: null,
    hasJfif: false,
  };
  for (let at = 2; ;) {
    const marker = markerAfter(jpeg, at);
    if (marker === null) return endedByUs(reading);
    const code = jpeg.readUInt8(marker + 1);
    if (code === MARKER.EOI) return ended(reading);
    if (code === MARKER.SOI) throw cutShort();
    at = standsAlone(code) ? marker + 2 : readSegment(jpeg, marker, reading);
  }
}

/** Finds 0xff before neither 0 (data) nor 0xff (fill). */
function markerAfter(jpeg: Buffer, from: number): number | null {
  for (let at = jpeg.indexOf(0xff, from); at !== -1 && at + 1 < jpeg.length; at = jpeg.indexOf(0xff, at + 1)) {
    const next = jpeg.readUInt8(at + 1);
    if (next !== 0 && next !== 0xff) return at;
  }
  return null;
}

/** Restarts and TEM have no length. */
function standsAlone(code: number): boolean {
  return code === 0x01 || (code >= 0xd0 && code <= 0xd7);
}

/** Reads a segment, with the pixels after a scan header. Returns where to look next. */
function readSegment(jpeg: Buffer, marker: number, reading: Reading): number {
  if (marker + 4 > jpeg.length) throw cutShort();
  const end = marker + 2 + jpeg.readUInt16BE(marker + 2);
  if (end > jpeg.length || end < marker + 4) throw cutShort();
  const segment = jpeg.subarray(marker, end);
  const code = segment.readUInt8(1);
  if (code === MARKER.SOS) return readScan(jpeg, segment, end, reading);
  if (isFrame(code)) reading.frame = segment;
  if (isFrame(code) || TABLES.has(code)) reading.kept.push(segment);
  if (code === MARKER.APP0 && !reading.hasJfif && isJfif(segment)) {
    reading.hasJfif = true;
    reading.kept.push(withoutThumbnail(segment));
  }
  if (code === MARKER.APP14 && isAdobe(segment)) reading.kept.push(segment);
  return end;
}

function readScan(jpeg: Buffer, header: Buffer, from: number, reading: Reading): number {
  if (!reading.frame) throw cutShort();
  const end = endOfScan(jpeg, from);
  const mended = isSequential(reading.frame) ? withFullSpectrum(header) : header;
  reading.kept.push(mended, jpeg.subarray(from, end));
  reading.scans += 1;
  reading.lastScan = mended;
  return end;
}

/** Finds where a scan ends: at the next marker but a restart. */
function endOfScan(jpeg: Buffer, from: number): number {
  for (let at = from; ; at += 2) {
    const marker = markerAfter(jpeg, at);
    if (marker === null) return jpeg.length;
    if (!standsAlone(jpeg.readUInt8(marker + 1))) return marker;
    at = marker;
  }
}

function ended({ kept, scans }: Reading): Buffer {
  if (scans === 0) throw cutShort();
  return Buffer.concat([...kept, END]);
}

/** Ends a file without an end marker if its only scan covers all components; decoding shows missing pixels. */
function endedByUs(reading: Reading): Buffer {
  const { frame, lastScan, scans } = reading;
  const isWhole = frame && lastScan && scans === 1 && isSequential(frame) && componentsOf(frame, lastScan);
  if (!isWhole) throw cutShort();
  return ended(reading);
}

function componentsOf(frame: Buffer, scan: Buffer): boolean {
  return frame.length > 9 && scan.length > 4 && frame[9] === scan[4];
}

function isFrame(code: number): boolean {
  return code >= 0xc0 && code <= 0xcf && !NO_FRAME.has(code);
}

function isSequential(frame: Buffer): boolean {
  return frame[1] === MARKER.SOF0 || frame[1] === MARKER.SOF1;
}

/** A sequential scan covers coefficients 0 to 63 without approximation; some phones write other values. */
function withFullSpectrum(scan: Buffer): Buffer {
  return Buffer.concat([scan.subarray(0, -3), Buffer.from([0, 63, 0])]);
}

function isJfif(segment: Buffer): boolean {
  return segment.length >= 18 && segment.toString('latin1', 4, 9) === 'JFIF\0';
}

/** Major version 1: decoders warn about others. */
function withoutThumbnail(segment: Buffer): Buffer {
  const jfif = Buffer.from(segment.subarray(0, 18));
  jfif.writeUInt16BE(16, 2);
  jfif.writeUInt8(1, 9);
  jfif.writeUInt16BE(0, 16);
  return jfif;
}

function isAdobe(segment: Buffer): boolean {
  return segment.length === 16 && segment.toString('latin1', 4, 9) === 'Adobe';
}
