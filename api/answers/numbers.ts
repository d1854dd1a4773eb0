import { formatUnits, SOL_DECIMALS } from '../../domain/amounts.ts';

const PLAIN_DECIMAL = /^-?\d+(\.\d+)?$/;

/**
 * The JSON number of an exact decimal: the double next to it. Here, at the very edge, and nowhere else a figure stops being exact;
 * amounts that must stay so have a `…Raw` twin beside their number. Throws a RangeError for what is no plain decimal.
 */
export function toNumber(decimal: string): number {
  if (!PLAIN_DECIMAL.test(decimal)) throw new RangeError(`"${decimal}" is not a plain decimal number`);
  return Number(decimal);
}

/** The same for a figure that may not be known. */
export function toNumberOrNull(decimal: string | null): number | null {
  return decimal === null ? null : toNumber(decimal);
}

/** An amount in raw units as whole tokens. */
export function toTokens(raw: bigint, decimals: number): number {
  return Number(formatUnits(raw, decimals));
}

/** Lamports as SOL. */
export function toSol(lamports: bigint): number {
  return toTokens(lamports, SOL_DECIMALS);
}

/** An integer that fits a double: counts, slots, lamports. Throws a RangeError for one that would not stay what it is. */
export function toInteger(value: bigint | string): number {
  const integer = Number(value);
  if (Number.isSafeInteger(integer)) return integer;
  throw new RangeError(`${value} is no integer that a JSON number holds exactly`);
}

const PERCENT_DECIMALS = 6;

/** Part of a whole in percent, to a millionth of a percent. */
export function toPercent(part: bigint, whole: bigint): number {
  return toTokens((part * 100n * 10n ** BigInt(PERCENT_DECIMALS)) / whole, PERCENT_DECIMALS);
}
