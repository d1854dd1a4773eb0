import Type from 'typebox';
import { BURN_SOURCES } from '../../domain/burn.ts';
import { figure, moment, nullable, signature } from './fields.ts';

/** What every burn says; spread into the schema of an answer. */
export const burnFields = {
  signature: signature('Its transaction'),
  valueUsdAtBurn: nullable(figure('What it was worth then, USD; null where there was no fresh price')),
  source: Type.Enum([...BURN_SOURCES], {
    description:
      'Why it was burned: `auto` fees in the token itself, `buyback` and `flywheel` bought with revenue for it',
  }),
  burnedAt: moment('When'),
};
