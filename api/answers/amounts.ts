import type { TNumber, TString } from 'typebox';
import { figure, raw } from './fields.ts';

export { amountAnswer } from '../../domain/answer-figures.ts';

type AmountFields<Name extends string> = { [Field in `${Name}Tokens`]: TNumber } & { [Field in `${Name}Raw`]: TString };

export function amountFields<const Name extends string>(name: Name, description: string): AmountFields<Name> {
  return { [`${name}Tokens`]: figure(description), [`${name}Raw`]: raw('The same') } as AmountFields<Name>;
}
