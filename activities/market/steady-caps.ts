import type { SwapRecord } from '../../db/market/swaps.ts';
import { judgedBefore, type PricedStretch, type PricesBefore, pricesBefore } from '../../db/prices/steady-prices.ts';
import type { SteadySwap } from '../../domain/market/figures.ts';
import { type SpendableUsd, stretchOf } from '../../domain/trading/spendable-price.ts';
import type { MarketDeps } from './deps.ts';

type JudgedSwap = Pick<SwapRecord, 'priceQuote' | 'supplyRaw' | 'quoteUsd' | 'blockTime'>;

export interface SwapsOfQuote<Swap extends JudgedSwap> {
  readonly quoteMint: string;
  readonly swaps: readonly Swap[];
}

/**
 * Returns the lower of the quote token's price then and the median before; null if it deviates too far, so that a
 * manipulation leaves no permanent mark. Keeps the order.
 */
export async function withSteadyPrices<Swap extends JudgedSwap>(
  { db, maxDeviationBps }: Pick<MarketDeps, 'db' | 'maxDeviationBps'>,
  groups: readonly SwapsOfQuote<Swap>[],
): Promise<(Swap & SteadySwap)[][]> {
  const stretches = new Map<string, PricedStretch>();
  for (const { quoteMint, swaps } of groups) {
    for (const swap of swaps.filter(({ quoteUsd }) => quoteUsd !== null)) {
      stretches.set(keyOf(quoteMint, swap), { mint: quoteMint, stretch: stretchOf(swap.blockTime) });
    }
  }
  const found = await pricesBefore(db, [...stretches.values()]);
  const before = new Map([...stretches.keys()].map((key, index) => [key, found[index]]));
  return groups.map(({ quoteMint, swaps }) =>
    swaps.map((swap) => ({ ...swap, steadyUsd: steadyUsd(swap, before.get(keyOf(quoteMint, swap)), maxDeviationBps) })),
  );
}

function keyOf(quoteMint: string, { blockTime }: JudgedSwap): string {
  return `${quoteMint}/${stretchOf(blockTime)}`;
}

function steadyUsd(
  { quoteUsd: usd, blockTime: observedAt }: JudgedSwap,
  before: PricesBefore | undefined,
  maxDeviationBps: number,
): SpendableUsd | null {
  return before === undefined ? null : judgedBefore({ usd, observedAt }, before, maxDeviationBps);
}
