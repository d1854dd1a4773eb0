import { animated, cutShort } from './picture.ts';

const HEADER_BYTES = 12;
const CHUNK_HEADER_BYTES = 8;
/** `VP8X`: flags, reserved, canvas size (RFC 9649, section 2.7). */
const EXTENDED_BYTES = 10;
/** The only flag that affects a still image's pixels. */
const ALPHA_FLAG = 0x10;

/**
 * Keeps `VP8L`, `VP8 `, or `VP8X` with `ALPH` and `VP8 `. Throws AppError `invalid_request` for a truncated, damaged or
 * animated file.
 */
export function cleanWebp(webp: Buffer): Buffer {
  const chunks = chunksOf(webp);
  if (chunks.has('ANIM') || chunks.has('ANMF')) throw animated();
  const lossless = chunks.get('VP8L');
  if (lossless) return riff([chunk('VP8L', lossless)]);
  const lossy = chunks.get('VP8 ');
  if (!lossy) throw cutShort();
  const [extended, alpha] = [chunks.get('VP8X'), chunks.get('ALPH')];
  if (!extended || !alpha) return riff([chunk('VP8 ', lossy)]);
  return riff([chunk('VP8X', extendedHeader(extended)), chunk('ALPH', alpha), chunk('VP8 ', lossy)]);
}

function chunksOf(webp: Buffer): Map<string, Buffer> {
  const end = CHUNK_HEADER_BYTES + webp.readUInt32LE(4);
  if (end > webp.length) throw cutShort();
  const chunks = new Map<string, Buffer>();
  for (let at = HEADER_BYTES; at + CHUNK_HEADER_BYTES <= end;) {
    const kind = webp.toString('latin1', at, at + 4);
    const from = at + CHUNK_HEADER_BYTES;
    const length = webp.readUInt32LE(at + 4);
    if (from + length > end) throw cutShort();
    if (!chunks.has(kind)) chunks.set(kind, webp.subarray(from, from + length));
    at = from + length + (length % 2);
  }
  return chunks;
}

function extendedHeader(extended: Buffer): Buffer {
  if (extended.length !== EXTENDED_BYTES) throw cutShort();
  return Buffer.concat([Buffer.from([ALPHA_FLAG, 0, 0, 0]), extended.subarray(4)]);
}

function riff(chunks: readonly Buffer[]): Buffer {
  return chunk('RIFF', Buffer.concat([Buffer.from('WEBP'), ...chunks]));
}

/** RIFF pads odd lengths. */
function chunk(kind: string, content: Buffer): Buffer {
  const header = Buffer.alloc(CHUNK_HEADER_BYTES);
  header.write(kind, 'latin1');
  header.writeUInt32LE(content.length, 4);
  return Buffer.concat([header, content, Buffer.alloc(content.length % 2)]);
}
