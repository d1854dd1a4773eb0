import { priceInQuote, type PoolPrice, sqrtPriceOf } from '../../domain/pool-price.ts';
import type { LiquidityChange } from '../exchange/exchange.ts';
import type { SwapRates } from '../exchange/pool-math.ts';
import { type ReplayedPool, replayLiquidity, replaySwap } from '../exchange/replay.ts';

/** A swap as it is stored, raw amounts. */
export interface StoredTrade {
  readonly signature: string;
  /** Among the pool's in the transaction. */
  readonly index: number;
  readonly slot: bigint;
  readonly side: 'buy' | 'sell';
  readonly baseRaw: bigint;
  readonly quoteRaw: bigint;
  /** Right after it, whole tokens. */
  readonly priceQuote: string;
}

/** A change of the pool's liquidity by a transaction. */
export interface LandedChange extends LiquidityChange {
  readonly signature: string;
  readonly slot: bigint;
}

/** Sides and decimals of a market. */
export type Denomination = Omit<PoolPrice, 'sqrtPriceX64'>;

export interface History {
  /** In the order of the chain. */
  readonly trades: readonly StoredTrade[];
  readonly changes: readonly LandedChange[];
  /** Place of a transaction among those of its slot, for slots with changes. */
  readonly placeOf: (signature: string) => number;
}

/**
 * The pool before the first trade, and after each, as the program would have left it, with the changes of liquidity
 * before the next trade. Ends before a trade that it would not have made.
 */
export function replayMarket(
  start: ReplayedPool,
  rates: SwapRates,
  denomination: Denomination,
  history: History,
): ReplayedPool[] {
  const along = [start];
  let pool = start;
  for (const event of inOrder(history)) {
    if ('delta' in event) {
      pool = replayLiquidity(pool, event);
      along[along.length - 1] = pool;
      continue;
    }
    const next = replayTrade(pool, rates, denomination, event);
    if (next === null) return along;
    along.push(next);
    pool = next;
  }
  return along;
}

function replayTrade(pool: ReplayedPool, rates: SwapRates, denomination: Denomination, trade: StoredTrade) {
  const { side, baseRaw, quoteRaw, priceQuote } = trade;
  const [amountIn, amountOut] = side === 'buy' ? [quoteRaw, baseRaw] : [baseRaw, quoteRaw];
  return replaySwap(pool, rates, {
    zeroForOne: (side === 'sell') === denomination.baseIsToken0,
    amountIn,
    amountOut,
    aboutX64: sqrtPriceOf(priceQuote, denomination),
    isPrice: (sqrtPriceX64) => priceInQuote({ ...denomination, sqrtPriceX64 }) === priceQuote,
  });
}

function inOrder({ trades, changes, placeOf }: History): readonly (StoredTrade | LandedChange)[] {
  if (changes.length === 0) return trades;
  const changed = new Set(changes.map(({ slot }) => slot));
  const placed = [...trades, ...changes].map((event) => ({
    event,
    place: changed.has(event.slot) ? placeOf(event.signature) : 0,
    step: 'delta' in event ? event.afterSwaps - 0.5 : event.index,
  }));
  // Stable: trades of other slots keep their order.
  return placed
    .toSorted((a, b) => {
      if (a.event.slot !== b.event.slot) return a.event.slot < b.event.slot ? -1 : 1;
      if (a.place !== b.place) return a.place - b.place;
      return a.event.signature === b.event.signature ? a.step - b.step : 0;
    })
    .map(({ event }) => event);
}
