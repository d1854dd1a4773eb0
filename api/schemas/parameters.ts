import Type from 'typebox';

const BASE58 = '[1-9A-HJ-NP-Za-km-z]';

/** A Solana address: 32 bytes in base58. */
export const AddressSchema = Type.String({ pattern: `^${BASE58}{32,44}$`, description: 'Solana address in base58' });

/** A transaction signature: 64 bytes in base58. */
export const SignatureSchema = Type.String({
  pattern: `^${BASE58}{64,88}$`,
  description: 'Transaction signature in base58',
});

/** Page and page size of a list; spread into a querystring schema. */
export const pageParameters = {
  page: Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1, description: 'Page, from 1' }),
  pageSize: Type.Integer({ minimum: 1, maximum: 100, default: 25, description: 'Entries on a page' }),
};

/** Number of entries; spread into a querystring schema. */
export const limitParameter = {
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 25, description: 'Entries at most' }),
};
