import { BigNumber } from 'bignumber.js';

/** Market cap, USD, at which a final swap graduates a token for ever. */
export const GRADUATION_MARKET_CAP_USD = 40_000;

const DIGITS = 6;

/**
 * Returns the progress, exact decimal from 0 to 1.
 * @param marketCapUsd null if unknown
 */
export function graduationProgress(
  status: 'new' | 'aboutToGraduate' | 'graduated',
  marketCapUsd: string | null,
): string {
  if (status === 'graduated') return '1';
  const progress = new BigNumber(marketCapUsd ?? 0).div(GRADUATION_MARKET_CAP_USD);
  return BigNumber.min(1, progress).decimalPlaces(DIGITS, BigNumber.ROUND_DOWN).toFixed();
}
