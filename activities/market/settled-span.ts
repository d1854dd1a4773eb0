import type { IndexedPool } from '../../db/market/pool-cursors.ts';
import type { SettledSpan } from '../../db/market/swaps.ts';
import { highestMarketCap } from '../../domain/market/figures.ts';

/** A pool's history that is settled, with the highest market cap that any of its swaps reached. */
export function settledSpan(
  { pool, mint, baseDecimals }: IndexedPool,
  span: Omit<SettledSpan, 'pool' | 'mint' | 'highestCapUsd'>,
): SettledSpan {
  return { pool, mint, ...span, highestCapUsd: highestMarketCap(span.swaps, baseDecimals) };
}
