import { EXPIRY_MARGIN_BLOCKS } from '../rpc/witness.ts';
import type { LaneReading } from './lane-reading.ts';

/**
 * True if the movement can no longer land: a quorum has the lane at that value and a finalized height over 32 blocks
 * beyond the last valid one. It decides only when to sign again; the lane prevents double spends.
 */
export function hasExpired(
  { testimonies, quorum }: LaneReading,
  mint: string,
  { from, lastValidBlockHeight }: { readonly from: bigint; readonly lastValidBlockHeight: number },
): boolean {
  const past = testimonies.filter(
    ({ blockHeight, values }) => blockHeight > lastValidBlockHeight + EXPIRY_MARGIN_BLOCKS && values.get(mint) === from,
  );
  return past.length >= quorum;
}
