import { BigNumber } from 'bignumber.js';
import { DEV_BUY_MAX_BPS, TOTAL_SUPPLY_RAW } from '../token-facts.ts';
import { cheaperUsd, dearerUsd, type SpendablePrice, type SpendableUsd } from '../trading/spendable-price.ts';

/** 2.5 % of the supply. */
export const DEV_BUY_MAX_RAW = (TOTAL_SUPPLY_RAW * BigInt(DEV_BUY_MAX_BPS)) / 10_000n;

const LAMPORTS_PER_SOL = 1_000_000_000;

export interface ExchangeRate {
  readonly solUsd: SpendableUsd;
  readonly quoteUsd: SpendableUsd;
  readonly quoteDecimals: number;
}

/**
 * Takes the higher of price and median for what the treasury gives, the lower for what it gets: moving a market
 * briefly makes no purchase cheaper.
 */
export function sellingRate(sol: SpendablePrice, quote: SpendablePrice, quoteDecimals: number): ExchangeRate {
  return { solUsd: cheaperUsd(sol), quoteUsd: dearerUsd(quote), quoteDecimals };
}

/** Returns raw units, rounded down. `percent` is a plain decimal such as `'2.5'`. */
export function tokensOfPercent(percent: string): bigint {
  return toBigint(new BigNumber(TOTAL_SUPPLY_RAW.toString()).times(percent).div(100), BigNumber.ROUND_DOWN);
}

/** Returns lamports, rounded down. `sol` is a plain decimal such as `'0.25'`. */
export function lamportsOfSol(sol: string): bigint {
  return toBigint(new BigNumber(sol).times(LAMPORTS_PER_SOL), BigNumber.ROUND_DOWN);
}

/** Returns raw quote units, rounded down: `lamportsForQuote` of them is never more than `lamports`. */
export function quoteForLamports(lamports: bigint, rate: ExchangeRate): bigint {
  const usd = new BigNumber(lamports.toString()).times(rate.solUsd).shiftedBy(rate.quoteDecimals);
  return dividedExactly(usd, new BigNumber(rate.quoteUsd).times(LAMPORTS_PER_SOL)).whole;
}

/** Returns lamports, rounded up: the treasury never gives more than it gets. */
export function lamportsForQuote(quoteRaw: bigint, rate: ExchangeRate): bigint {
  const usd = new BigNumber(quoteRaw.toString()).times(rate.quoteUsd).times(LAMPORTS_PER_SOL);
  const { whole, hasRest } = dividedExactly(usd, new BigNumber(rate.solUsd).shiftedBy(rate.quoteDecimals));
  return hasRest ? whole + 1n : whole;
}

/** BigNumber's `div` rounds at 20 decimals, which can lift a quotient over a whole number. */
function dividedExactly(a: BigNumber, b: BigNumber): { readonly whole: bigint; readonly hasRest: boolean } {
  const whole = a.idiv(b);
  return { whole: BigInt(whole.toFixed()), hasRest: !whole.times(b).eq(a) };
}

function toBigint(value: BigNumber, rounding: BigNumber.RoundingMode): bigint {
  return BigInt(value.integerValue(rounding).toFixed());
}
