import type { TNumber, TString } from 'typebox';
import { figure, raw } from './fields.ts';
import { toTokens } from './numbers.ts';

/** Schemas of an amount of this name: whole tokens as a number, and the exact amount beside it. */
type AmountFields<Name extends string> = { [Field in `${Name}Tokens`]: TNumber } & { [Field in `${Name}Raw`]: TString };

/** An amount of this name as it is answered. */
type AmountAnswer<Name extends string> = { [Field in `${Name}Tokens`]: number } & { [Field in `${Name}Raw`]: string };

/** The two fields of every amount; spread into the schema of an answer. */
export function amountFields<const Name extends string>(name: Name, description: string): AmountFields<Name> {
  return { [`${name}Tokens`]: figure(description), [`${name}Raw`]: raw('The same') } as AmountFields<Name>;
}

/** An amount of raw units in these fields. */
export function amountAnswer<const Name extends string>(
  name: Name,
  rawUnits: bigint,
  decimals: number,
): AmountAnswer<Name> {
  return { [`${name}Tokens`]: toTokens(rawUnits, decimals), [`${name}Raw`]: String(rawUnits) } as AmountAnswer<Name>;
}
