import { sha256 } from '@noble/hashes/sha2.js';
import { toBase64 } from '../solana/bytes.ts';

const HASH_BYTES = 9;

/** The memo of a claim: the beginning of the sha256 of its intent's id, in base64url. The platform has the same rule. */
export function claimMemo(intentId: string): string {
  const hash = sha256(new TextEncoder().encode(intentId)).subarray(0, HASH_BYTES);
  return `claim/${toBase64(hash).replaceAll('+', '-').replaceAll('/', '_')}`;
}
