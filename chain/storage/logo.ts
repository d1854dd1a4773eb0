import { createHash } from 'node:crypto';
import { type Asker, OURSELVES } from '../../domain/places.ts';
import { createDecoderPool } from './decoder/decoder-pool.ts';
import { cleanPicture } from './pictures/clean-picture.ts';
import { parseDataUrl } from './pictures/data-url.ts';
import type { Picture, PictureType } from './pictures/picture.ts';

export { parseDataUrl } from './pictures/data-url.ts';

export interface Logo {
  readonly type: PictureType;
  /** Of the bytes sent, hex; submit sends them again. */
  readonly hash: string;
  /** As stored. */
  readonly bytes: Buffer;
  /** sha256, hex. */
  readonly storedHash: string;
  readonly width: number;
  readonly height: number;
}

/** One per process: all requests share its limits. */
const decoders = createDecoderPool({
  // A core and the memory of its pixels each.
  places: { inAll: 2, mostWaiting: 60, patienceMs: 10_000 },
  limits: { mostMemoryBytes: 400_000_000, mostCpuMs: 5_000, longestMs: 30_000 },
});

export function warmUpDecoders(): void {
  decoders.warmUp();
}

/** Throws like `parseDataUrl` and `decodeLogo`. */
export async function parseLogo(dataUrl: string): Promise<Logo> {
  return decodeLogo(parseDataUrl(dataUrl), OURSELVES);
}

/**
 * Decodes in a process of its own. Throws an AppError: `invalid_request`, or `service_unavailable` for a full queue,
 * which clients share.
 */
export async function decodeLogo(sent: Picture, asker: Asker): Promise<Logo> {
  const { picture, width, height } = await decoders.normalise(sent, asker);
  const { type, bytes } = picture;
  return { type, hash: logoHash(sent.bytes), bytes, storedHash: logoHash(bytes), width, height };
}

/**
 * Rebuilds the bytes that prepare sealed; null if this process produces others, as another version may. Throws like
 * `decodeLogo`.
 */
export async function storedForm(sent: Picture, sealedHash: string, asker: Asker): Promise<Buffer | null> {
  const clean = cleanPicture(sent);
  if (logoHash(clean.bytes) === sealedHash) return clean.bytes;
  const { bytes, storedHash } = await decodeLogo(sent, asker);
  return storedHash === sealedHash ? bytes : null;
}

/** Returns the hexadecimal sha256. */
export function logoHash(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
