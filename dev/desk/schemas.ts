import Type from 'typebox';

/** Decimal above zero; no amount passes a float. */
export const DecimalSchema = Type.String({
  pattern: '^\\d{1,30}(\\.\\d{1,30})?$',
  maxLength: 61,
  description: 'Decimal string',
});

export const deskRoute = { config: { rateGroup: 'none' } } as const;
