import Type from 'typebox';
import { AppError } from '../../domain/errors.ts';

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

/** Filter by fee model; spread into a querystring schema. */
export const modeParameter = {
  mode: Type.Optional(Type.Enum(['standard', 'reward'], { description: 'Only launches of this fee model' })),
};

/** Filter by pair category; spread into a querystring schema. */
export const categoryParameter = {
  category: Type.Optional(
    Type.String({
      pattern: '^[^\\u0000-\\u001f\\u007f]{1,64}$',
      description: 'Only tokens whose pair is of this category',
    }),
  ),
};

/** Path of what belongs to a token. */
export const MintParamsSchema = Type.Object({ mint: AddressSchema }, { additionalProperties: false });

/** A moment, ISO 8601 with a time zone. */
export const TimestampSchema = Type.String({ format: 'date-time', maxLength: 40 });

/** Reads a timestamp that passed its schema. Throws 400 for a leap second, which this runtime's dates cannot hold. */
export function toDate(name: string, text: string): Date {
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) {
    throw new AppError('invalid_request', `query parameter "${name}" is not a time that exists, got "${text}"`);
  }
  return date;
}
