import { createHash, createPrivateKey, createPublicKey } from 'node:crypto';
import { PublicKey } from '@solana/web3.js';

/** Derives an address without a key, deterministic: written, never signed for. */
export function localAddress(label: string): PublicKey {
  return new PublicKey(digest(label));
}

/** A test can sign as {@link localWallet}. */
export function localWalletSeed(label: string): Uint8Array {
  return digest(`key ${label}`);
}

/** Prefix of a PKCS #8 key (RFC 8410). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

export function localWallet(label: string): PublicKey {
  // Several times faster than web3.js.
  const der = Buffer.concat([PKCS8_PREFIX, localWalletSeed(label)]);
  const key = createPublicKey(createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }));
  return new PublicKey(key.export({ format: 'der', type: 'spki' }).subarray(-32));
}

/**
 * Derives a mint, deterministic. Pools order mints bytewise: 0x00 before and 0xff after practically every launched
 * mint.
 */
export function localMint(label: string, firstByte: number): PublicKey {
  const bytes = digest(`mint ${label}`);
  bytes[0] = firstByte;
  return new PublicKey(bytes);
}

function digest(label: string): Buffer {
  return createHash('sha256').update(`slipway local ${label}`).digest();
}
