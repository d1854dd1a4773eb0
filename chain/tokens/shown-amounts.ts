import { getInterestBearingMintConfigState, getScaledUiAmountConfig, type Mint } from '@solana/spl-token';

/**
 * Null if shown and raw amounts are equal: prices refer to shown amounts and are multiplied with raw ones. An issuer
 * can change a multiplier at any time (a share split); an interest-bearing mint grows by itself. So the multiplier must
 * be exactly one, or the rate zero, with no change pending. A reverted change counts as pending after it took effect,
 * because the mint still names the old value.
 *
 * @see https://solana.com/docs/tokens/extensions/scaled-ui-amount
 */
export function shownAmountsProblem(mint: Mint): string | null {
  const scaled = getScaledUiAmountConfig(mint);
  if (scaled && (scaled.multiplier !== 1 || scaled.newMultiplier !== 1)) {
    const { multiplier, newMultiplier } = scaled;
    return `its shown amounts are its raw ones times ${multiplier}, and times ${newMultiplier} after a change`;
  }
  const interest = getInterestBearingMintConfigState(mint);
  if (interest && (interest.currentRate !== 0 || interest.preUpdateAverageRate !== 0)) {
    return `its shown amounts bear interest: ${interest.currentRate} bps, and ${interest.preUpdateAverageRate} bps until its last change`;
  }
  return null;
}
