import { BigNumber } from 'bignumber.js';

/** Market cap that makes a token graduated for ever once a final swap has touched it, in USD. */
export const GRADUATION_MARKET_CAP_USD = 40_000;

/** Fraction digits of a progress. */
const DIGITS = 6;

/**
 * How near a token is to graduation, 0 to 1 as an exact decimal: its market cap (USD, decimal string; null where unknown) over
 * the threshold. 1 once it has graduated, whatever its market cap is now.
 */
export function graduationProgress(
  status: 'new' | 'aboutToGraduate' | 'graduated',
  marketCapUsd: string | null,
): string {
  if (status === 'graduated') return '1';
  const progress = new BigNumber(marketCapUsd ?? 0).div(GRADUATION_MARKET_CAP_USD);
  return BigNumber.min(1, progress).decimalPlaces(DIGITS, BigNumber.ROUND_DOWN).toFixed();
}
