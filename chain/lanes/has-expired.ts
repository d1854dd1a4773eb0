import { EXPIRY_MARGIN_BLOCKS } from '../rpc/witness.ts';
import type { LaneReading } from './lane-reading.ts';

/**
 * Whether a transaction that steps from a value can no longer land, by a quorum: each saw a finalized block height beyond its
 * last valid one by more than 32, and the lane still at that value then. The register needs no such proof; it says when to
 * sign anew.
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
