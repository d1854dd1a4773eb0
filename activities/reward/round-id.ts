import { createHash } from 'node:crypto';

/**
 * Id of a token's nth round, a UUID of version 8 (RFC 9562). It follows from token and number: after the database was restored
 * the next round has the id of the first one that the database does not know, and its movements are found on the chain by it.
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
