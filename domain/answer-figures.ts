import { formatUnits } from './amounts.ts';

const PLAIN_DECIMAL = /^-?\d+(\.\d+)?$/;

/**
 * Rounds to the nearest double: figures lose exactness only here; amounts that must not have a `…Raw` field.
 *
 * @throws RangeError for no plain decimal
 */
export function toNumber(decimal: string): number {
  if (!PLAIN_DECIMAL.test(decimal)) throw new RangeError(`"${decimal}" is not a plain decimal number`);
  return Number(decimal);
}

export function toNumberOrNull(decimal: string | null): number | null {
  return decimal === null ? null : toNumber(decimal);
}

export function toTokens(raw: bigint, decimals: number): number {
  return Number(formatUnits(raw, decimals));
}

type AmountAnswer<Name extends string> = { [Field in `${Name}Tokens`]: number } & { [Field in `${Name}Raw`]: string };

export function amountAnswer<const Name extends string>(
  name: Name,
  rawUnits: bigint,
  decimals: number,
): AmountAnswer<Name> {
  return { [`${name}Tokens`]: toTokens(rawUnits, decimals), [`${name}Raw`]: String(rawUnits) } as AmountAnswer<Name>;
}
