import type { IndexedPool } from '../../db/market/pool-cursors.ts';
import type { SettledSpan } from '../../db/market/swaps.ts';
import { highestMarketCap } from '../../domain/market/figures.ts';
import type { MarketDeps } from './deps.ts';
import { withSteadyPrices } from './steady-caps.ts';

export interface FinalSpan {
  readonly cursor: IndexedPool;
  readonly span: Omit<SettledSpan, 'pool' | 'mint' | 'highestCapUsd'>;
}

export async function settledSpans(
  deps: Pick<MarketDeps, 'db' | 'maxDeviationBps'>,
  finals: readonly FinalSpan[],
): Promise<SettledSpan[]> {
  const groups = finals.map(({ cursor: { quoteMint }, span: { swaps } }) => ({ quoteMint, swaps }));
  const steady = await withSteadyPrices(deps, groups);
  return finals.map(({ cursor: { pool, mint, baseDecimals }, span }, index) => {
    return { pool, mint, ...span, highestCapUsd: highestMarketCap(steady[index] ?? [], baseDecimals) };
  });
}
