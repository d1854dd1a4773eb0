/**
 * Blocks that must remain at submit: checking, building, simulating and storing take seconds, then the bundle needs a
 * leader. Measured: docs/launch-a-token.md.
 */
export const BLOCKS_TO_LAND = 20;

/** Part of the measured block time that is assumed: blocks may come faster. */
const COUNTED_ON = 0.97;

export interface QuoteTiming {
  /** Request of the chain's height, ms. */
  readonly at: number;
  /** Newest block. */
  readonly blockHeight: number;
  /** Last height for the payment. */
  readonly lastValidBlockHeight: number;
  /** Measured. */
  readonly blockMs: number;
}

export function submittableUntil({ at, blockHeight, lastValidBlockHeight, blockMs }: QuoteTiming): number {
  const blocks = Math.max(0, lastValidBlockHeight - blockHeight - BLOCKS_TO_LAND);
  return Math.floor(at + blocks * blockMs * COUNTED_ON);
}

/** Undefined in time. `arrivedAt` in ms, `expiresAt` in ISO 8601. */
export function latenessOf(arrivedAt: number, expiresAt: string, blocksLeft: number): string | undefined {
  if (arrivedAt > Date.parse(expiresAt)) return `the quote came too late: it could be submitted until ${expiresAt}`;
  if (blocksLeft >= BLOCKS_TO_LAND) return undefined;
  const left = Math.max(0, blocksLeft);
  return `the quote came too late: its payment can land in ${left} more blocks, and a launch needs ${BLOCKS_TO_LAND}`;
}
