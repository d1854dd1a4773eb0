import { BigNumber } from 'bignumber.js';
import { GRADUATION_MARKET_CAP_USD } from './graduation.ts';
import { priceInUsd, worthUsd } from '../pool-price.ts';
import { spendableBase, type SpendableUsd, worthSpendable } from '../trading/spendable-price.ts';

const PERCENT_DIGITS = 4;

const Percent = BigNumber.clone({ DECIMAL_PLACES: 60, ROUNDING_MODE: BigNumber.ROUND_HALF_UP });

export interface MarketState {
  /** Whole tokens. */
  readonly priceQuote: string;
  /** Without burned ones. */
  readonly supplyRaw: bigint;
  readonly baseDecimals: number;
  readonly quoteDecimals: number;
  readonly baseVaultRaw: bigint;
  readonly quoteVaultRaw: bigint;
}

export interface TradingDay {
  /** By their moments' prices; unpriced ones are zero. */
  readonly volumeUsd: string;
  /** 24 hours ago, per whole token; of a younger token the opening price. */
  readonly priceUsdBefore: string | null;
}

/** Decimals; null without a price. */
export interface MarketFigures {
  readonly priceQuote: string;
  readonly priceUsd: string | null;
  readonly marketCapUsd: string | null;
  readonly volume24hUsd: string;
  /** Both vaults, now. */
  readonly liquidityUsd: string | null;
  readonly priceChange24hPercent: string | null;
}

/** @param quoteUsd USD per whole quote token; null if unknown */
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

export interface SteadySwap {
  /** Whole tokens, after the swap. */
  readonly priceQuote: string;
  /** Raw units. */
  readonly supplyRaw: bigint;
  /** Null without a steady price. */
  readonly steadyUsd: SpendableUsd | null;
}

/** Null without a steady price. */
export function steadyMarketCap(
  { priceQuote, supplyRaw, steadyUsd }: SteadySwap,
  baseDecimals: number,
): SpendableUsd | null {
  if (steadyUsd === null) return null;
  return worthSpendable(supplyRaw, baseDecimals, spendableBase(priceQuote, steadyUsd));
}

/** Null if no swap has a steady price. */
export function highestMarketCap(swaps: readonly SteadySwap[], baseDecimals: number): SpendableUsd | null {
  const caps = swaps.flatMap((swap) => steadyMarketCap(swap, baseDecimals) ?? []);
  return caps.toSorted((a, b) => new BigNumber(b).comparedTo(a) ?? 0)[0] ?? null;
}

/**
 * Returns the change in percent, negative if the price fell; 4 fraction digits, half up. Null without an earlier
 * price.
 */
export function changePercent(before: string | null, after: string): string | null {
  if (before === null || new BigNumber(before).isZero()) return null;
  const share = new Percent(after).div(before).minus(1);
  return share.times(100).decimalPlaces(PERCENT_DIGITS).toFixed();
}

/** Has not touched the cap. */
export function statusBelowGraduation(marketCapUsd: string, aboutToGraduateBps: number): 'new' | 'aboutToGraduate' {
  return new BigNumber(marketCapUsd).gte(aboutToGraduateUsd(aboutToGraduateBps)) ? 'aboutToGraduate' : 'new';
}

export function aboutToGraduateUsd(aboutToGraduateBps: number): string {
  return new BigNumber(GRADUATION_MARKET_CAP_USD).times(aboutToGraduateBps).div(10_000).toFixed();
}
