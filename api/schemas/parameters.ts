import Type from 'typebox';
import { LAUNCH_MODES } from '../../domain/token-facts.ts';
import { AppError } from '../../domain/errors.ts';

const BASE58 = '[1-9A-HJ-NP-Za-km-z]';

/** A Solana address: 32 bytes in base58. */
export const AddressSchema = Type.String({ pattern: `^${BASE58}{32,44}$`, description: 'Solana address in base58' });

/** A transaction signature: 64 bytes in base58. */
export const SignatureSchema = Type.String({
  pattern: `^${BASE58}{64,88}$`,
  description: 'Transaction signature in base58',
});

/** Options of an integer whose values outside its range are taken as the nearest one within; only what is no integer is refused. */
export function clamped<Options extends { readonly minimum: number; readonly maximum?: number }>(options: Options) {
  return { ...options, 'x-clamped': true };
}

/** Options of a text parameter that counts as absent when it is empty. */
export function ignoredWhenEmpty<Options extends object>(options: Options) {
  return { ...options, 'x-ignored-when-empty': true };
}

/** Page and page size of a list; spread into a querystring schema. */
export const pageParameters = {
  page: Type.Integer(
    clamped({
      minimum: 1,
      default: 1,
      description: 'Page, from 1; one behind the last answers the last',
    }),
  ),
  pageSize: Type.Integer(
    clamped({ minimum: 1, maximum: 100, default: 25, description: 'Entries on a page; more than 100 is 100' }),
  ),
};

/** Entries that `limit` gives at most. */
export const MOST_ENTRIES = 100;

/** Number of entries; spread into a querystring schema. */
export const limitParameter = {
  limit: Type.Integer(
    clamped({ minimum: 1, maximum: MOST_ENTRIES, default: 25, description: 'Entries at most; more than 100 is 100' }),
  ),
};

/** Filter by fee model; spread into a querystring schema. */
export const modeParameter = {
  mode: Type.Optional(Type.Enum([...LAUNCH_MODES], { description: 'Only launches of this fee model' })),
};

/** A text that is looked for: no control characters, none of which any name has. */
export const SEARCHED = '^[^\\u0000-\\u001f\\u007f]{1,64}$';

/** Filter by pair category; spread into a querystring schema. */
export const categoryParameter = {
  category: Type.Optional(
    Type.String(ignoredWhenEmpty({ pattern: SEARCHED, description: 'Only tokens whose pair is of this category' })),
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
