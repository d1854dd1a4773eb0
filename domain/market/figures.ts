import { BigNumber } from 'bignumber.js';
import { GRADUATION_MARKET_CAP_USD } from './graduation.ts';
import { priceInUsd, worthUsd } from '../pool-price.ts';

/** Fraction digits of a change in percent. */
const PERCENT_DIGITS = 4;

const Percent = BigNumber.clone({ DECIMAL_PLACES: 60, ROUNDING_MODE: BigNumber.ROUND_HALF_UP });

/** How a pool and its mint stand at one slot. Amounts are raw units. */
export interface MarketState {
  /** Whole quote tokens per whole base token. */
  readonly priceQuote: string;
  /** Supply of the mint: what was burned does not count. */
  readonly supplyRaw: bigint;
  readonly baseDecimals: number;
  readonly quoteDecimals: number;
  /** Balances of the pool's two vaults, uncollected fees included. */
  readonly baseVaultRaw: bigint;
  readonly quoteVaultRaw: bigint;
}

/** What the swaps of the last 24 hours say. */
export interface TradingDay {
  /** Sum of what the swaps were worth when they happened, USD; one whose price was unknown counts as nothing. */
  readonly volumeUsd: string;
  /** USD price per whole token 24 hours ago, of a younger token the one its pool opened with; null where unknown. */
  readonly priceUsdBefore: string | null;
}

/** Figures of a token that people sort and filter by. Plain decimal strings; null where no present price is known. */
export interface MarketFigures {
  readonly priceQuote: string;
  readonly priceUsd: string | null;
  readonly marketCapUsd: string | null;
  readonly volume24hUsd: string;
  /** Both vaults at the present price. */
  readonly liquidityUsd: string | null;
  readonly priceChange24hPercent: string | null;
}

/** Computes the figures of a token; `quoteUsd` is the present USD price of one whole quote token, null where unknown. */
export function marketFigures(state: MarketState, day: TradingDay, quoteUsd: string | null): MarketFigures {
  const { priceQuote } = state;
  const volume24hUsd = day.volumeUsd;
  if (quoteUsd === null) {
    const unknown = { priceUsd: null, marketCapUsd: null, liquidityUsd: null, priceChange24hPercent: null };
    return { priceQuote, volume24hUsd, ...unknown };
  }
  const priceUsd = priceInUsd(priceQuote, quoteUsd);
  return {
    priceQuote,
    priceUsd,
    volume24hUsd,
    marketCapUsd: worthUsd(state.supplyRaw, state.baseDecimals, priceUsd),
    liquidityUsd: liquidity(state, priceUsd, quoteUsd),
    priceChange24hPercent: changePercent(day.priceUsdBefore, priceUsd),
  };
}

function liquidity(state: MarketState, priceUsd: string, quoteUsd: string): string {
  const base = worthUsd(state.baseVaultRaw, state.baseDecimals, priceUsd);
  return new BigNumber(base).plus(worthUsd(state.quoteVaultRaw, state.quoteDecimals, quoteUsd)).toFixed();
}

/** A swap with what a market cap is computed of. */
export interface PricedSwap {
  /** USD per whole token right after it; null where unknown. */
  readonly priceUsd: string | null;
  /** Supply of the mint, raw units. */
  readonly supplyRaw: bigint;
}

/** The highest market cap that any of these swaps reached, USD; null where none has a price. */
export function highestMarketCap(swaps: readonly PricedSwap[], baseDecimals: number): string | null {
  const caps = swaps.flatMap(({ priceUsd, supplyRaw }) =>
    priceUsd === null ? [] : [new BigNumber(worthUsd(supplyRaw, baseDecimals, priceUsd))],
  );
  return caps.length === 0 ? null : BigNumber.max(...caps).toFixed();
}

/** How much a price rose (negative: fell), in percent with at most 4 fraction digits, rounded half up; null without a price before. */
export function changePercent(before: string | null, after: string): string | null {
  if (before === null || new BigNumber(before).isZero()) return null;
  const share = new Percent(after).div(before).minus(1);
  return share.times(100).decimalPlaces(PERCENT_DIGITS).toFixed();
}

/** Where a token stands on its way to graduation, as long as it has not touched the graduation cap. */
export function statusBelowGraduation(marketCapUsd: string, aboutToGraduateBps: number): 'new' | 'aboutToGraduate' {
  return new BigNumber(marketCapUsd).gte(aboutToGraduateUsd(aboutToGraduateBps)) ? 'aboutToGraduate' : 'new';
}

/** Market cap from which a token is about to graduate, USD; bps of the graduation cap. */
export function aboutToGraduateUsd(aboutToGraduateBps: number): string {
  return new BigNumber(GRADUATION_MARKET_CAP_USD).times(aboutToGraduateBps).div(10_000).toFixed();
}
