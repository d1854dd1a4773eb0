import { sha256 } from '@noble/hashes/sha2.js';
import type { Purpose } from '../purpose.ts';

/** Bytes of the hash, random enough for every claim there will be. */
const HASH_BYTES = 9;

/**
 * Purpose and memo of a claim: the first 12 letters of its intent id's sha256 in base64url. With the whole id,
 * Phantom's assertions do not fit a claim that opens accounts. The client has the same function.
 */
export function claimPurpose(intentId: string): Purpose {
  const hash = sha256(new TextEncoder().encode(intentId)).subarray(0, HASH_BYTES);
  return `claim/${Buffer.from(hash).toString('base64url')}` as Purpose;
}

export function claimKillPurpose(intentId: string): Purpose {
  return `${claimPurpose(intentId)}/kill` as Purpose;
}

/** Purpose of creating a launch's nonce account (base58). */
export function noncePurpose(nonceAccount: string): Purpose {
  return `nonce/${nonceAccount}` as Purpose;
}
