import { BigNumber } from 'bignumber.js';

/** Market cap, USD, that graduates a token for ever once it was touched. */
export const GRADUATION_MARKET_CAP_USD = 40_000;

/** Share of that cap from which a token is “about to graduate”. */
export const ABOUT_TO_GRADUATE_BPS = 8_000;

export type GraduationStatus = 'new' | 'aboutToGraduate' | 'graduated';

export const HAS_GRADUATED: Readonly<Record<GraduationStatus, boolean>> = {
  new: false,
  aboutToGraduate: false,
  graduated: true,
};

const DIGITS = 6;

/** Highest progress of a token that has not graduated. */
const MOST_BELOW = '0.999999';

/**
 * Returns the progress, exact decimal from 0 to 1; below 1 until the token has graduated, whatever its present cap.
 * @param marketCapUsd null if unknown
 */
export function graduationProgress(status: GraduationStatus, marketCapUsd: string | null): string {
  if (HAS_GRADUATED[status]) return '1';
  const progress = new BigNumber(marketCapUsd ?? 0).div(GRADUATION_MARKET_CAP_USD);
  return BigNumber.min(MOST_BELOW, progress).decimalPlaces(DIGITS, BigNumber.ROUND_DOWN).toFixed();
}
