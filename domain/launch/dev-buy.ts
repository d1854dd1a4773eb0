import { BigNumber } from 'bignumber.js';
import { DEV_BUY_MAX_BPS, TOTAL_SUPPLY_RAW } from '../token-facts.ts';

/** Most tokens a dev buy may take, raw units: 2.5 % of the supply. */
export const DEV_BUY_MAX_RAW = (TOTAL_SUPPLY_RAW * BigInt(DEV_BUY_MAX_BPS)) / 10_000n;

const LAMPORTS_PER_SOL = 1_000_000_000;

/** What one whole token of each side is worth, exact decimal strings in USD. */
export interface ExchangeRate {
  readonly solUsd: string;
  readonly quoteUsd: string;
  readonly quoteDecimals: number;
}

/** Tokens that `percent` of the supply are, raw units, rounded down. */
export function tokensOfPercent(percent: number): bigint {
  return toBigint(new BigNumber(TOTAL_SUPPLY_RAW.toString()).times(percent).div(100), BigNumber.ROUND_DOWN);
}

/** Lamports that this much SOL is, rounded down. */
export function lamportsOfSol(sol: number): bigint {
  return toBigint(new BigNumber(sol).times(LAMPORTS_PER_SOL), BigNumber.ROUND_DOWN);
}

/** Quote tokens that lamports buy at these prices, raw units, rounded down. */
export function quoteForLamports(lamports: bigint, rate: ExchangeRate): bigint {
  const usd = new BigNumber(lamports.toString()).div(LAMPORTS_PER_SOL).times(rate.solUsd);
  return toBigint(usd.shiftedBy(rate.quoteDecimals).div(rate.quoteUsd), BigNumber.ROUND_DOWN);
}

/** Lamports that these quote tokens (raw units) cost at these prices, rounded up: the treasury never gives more than it gets. */
export function lamportsForQuote(quoteRaw: bigint, rate: ExchangeRate): bigint {
  const usd = new BigNumber(quoteRaw.toString()).shiftedBy(-rate.quoteDecimals).times(rate.quoteUsd);
  return toBigint(usd.times(LAMPORTS_PER_SOL).div(rate.solUsd), BigNumber.ROUND_UP);
}

function toBigint(value: BigNumber, rounding: BigNumber.RoundingMode): bigint {
  return BigInt(value.integerValue(rounding).toFixed());
}
