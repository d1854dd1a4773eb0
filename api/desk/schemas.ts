import Type from 'typebox';

/** A positive decimal number as a string, so that no amount passes through a float. */
export const DecimalSchema = Type.String({
  pattern: '^\\d{1,30}(\\.\\d{1,30})?$',
  maxLength: 61,
  description: 'Decimal string',
});

/** What every endpoint of the desk has in common: in no document, on no counter. */
export const deskRoute = { config: { rateGroup: 'none' } } as const;
