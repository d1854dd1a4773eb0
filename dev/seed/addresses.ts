import { createHash } from 'node:crypto';
import { PublicKey } from '@solana/web3.js';

/** An address that the same label always gives. Nobody has its key: it is written to the local chain, never signed for. */
export function localAddress(label: string): PublicKey {
  return new PublicKey(digest(label));
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
