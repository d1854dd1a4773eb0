import { createHash, createPrivateKey, createPublicKey } from 'node:crypto';
import { PublicKey } from '@solana/web3.js';

/** An address that the same label always gives. Nobody has its key: it is written to the local chain, never signed for. */
export function localAddress(label: string): PublicKey {
  return new PublicKey(digest(label));
}

/** Seed of the key of {@link localWallet}: with it a test can sign as that wallet. */
export function localWalletSeed(label: string): Uint8Array {
  return digest(`key ${label}`);
}

/** What stands before an Ed25519 seed in a PKCS #8 key (RFC 8410). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/** A wallet that the same label always gives: unlike a {@link localAddress} it has a key, as the wallets of people do. */
export function localWallet(label: string): PublicKey {
  // OpenSSL is several times faster than web3.js, and there are thousands.
  const der = Buffer.concat([PKCS8_PREFIX, localWalletSeed(label)]);
  const key = createPublicKey(createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }));
  return new PublicKey(key.export({ format: 'der', type: 'spki' }).subarray(-32));
}

/**
 * The mint address of a label with a chosen first byte. Pools order their two mints bytewise, so 0x00 sorts before and 0xff
 * after practically every mint that is launched.
 */
export function localMint(label: string, firstByte: number): PublicKey {
  const bytes = digest(`mint ${label}`);
  bytes[0] = firstByte;
  return new PublicKey(bytes);
}

function digest(label: string): Buffer {
  return createHash('sha256').update(`slipway local ${label}`).digest();
}
