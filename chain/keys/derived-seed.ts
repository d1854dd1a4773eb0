import { hkdfSync } from 'node:crypto';

export interface KeyContext {
  readonly genesisHash: string;
  readonly environment: string;
}

/** Purpose of the seed that a launch's mint follows from. */
export const MINT_PURPOSE = 'mint';

/**
 * Derives by HKDF-SHA256 (RFC 5869), salted with the genesis hash; the info is a JSON array, so that inputs never
 * collide. Returns 32 bytes. Throws a RangeError unless the secret has 32 bytes.
 */
export function derivedSeed(secret: Uint8Array, context: KeyContext, purpose: string, id: string): Uint8Array {
  if (secret.length !== 32) throw new RangeError(`a seed has 32 bytes, got ${secret.length}`);
  const info = JSON.stringify(['slipway', context.environment, purpose, id]);
  return new Uint8Array(hkdfSync('sha256', secret, context.genesisHash, info, 32));
}
