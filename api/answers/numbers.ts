import { SOL_DECIMALS } from '../../domain/amounts.ts';
import { toTokens } from '../../domain/answer-figures.ts';

export { toNumber, toNumberOrNull, toTokens } from '../../domain/answer-figures.ts';

export function toSol(lamports: bigint): number {
  return toTokens(lamports, SOL_DECIMALS);
}

/** @throws RangeError beyond the safe integers */
export function toInteger(value: bigint | string): number {
  const integer = Number(value);
  if (Number.isSafeInteger(integer)) return integer;
  throw new RangeError(`${value} is no integer that a JSON number holds exactly`);
}

const PERCENT_DECIMALS = 6;

/** Percentage down to a millionth of a percent. */
export function toPercent(part: bigint, whole: bigint): number {
  return toTokens((part * 100n * 10n ** BigInt(PERCENT_DECIMALS)) / whole, PERCENT_DECIMALS);
}
