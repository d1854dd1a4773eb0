import { createHash } from 'node:crypto';

/**
 * A UUID of version 8 (RFC 9562) from token and number: after a restore the next round gets the id of the first lost
 * one, so that its movements are found.
 */
export function rewardRoundId(mint: string, number: number): string {
  const hash = createHash('sha256').update(`reward/${mint}/${number}`).digest('hex');
  const variant = ((Number.parseInt(hash.slice(16, 17), 16) & 0x3) | 0x8).toString(16);
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    variant + hash.slice(17, 20),
    hash.slice(20, 32),
  ].join('-');
}
