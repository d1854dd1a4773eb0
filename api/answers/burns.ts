import Type from 'typebox';
import { BURN_SOURCES } from '../../domain/burn.ts';
import { figure, moment, nullable, signature } from './fields.ts';

export const burnFields = {
  signature: signature('Its transaction'),
  valueUsdAtBurn: nullable(figure('Worth at the burn, USD; null without a steady price')),
  source: Type.Enum([...BURN_SOURCES], {
    description:
      'Why it was burned: `auto` fees in the token itself, `buyback` and `flywheel` bought with revenue for it',
  }),
  burnedAt: moment('When'),
};
