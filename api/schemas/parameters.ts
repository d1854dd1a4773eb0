import Type from 'typebox';
import { LAUNCH_MODES } from '../../domain/token-facts.ts';
import { ofFeature } from '../openapi/document.ts';

const BASE58 = '[1-9A-HJ-NP-Za-km-z]';

export const AddressSchema = Type.String({
  pattern: `^${BASE58}{32,44}$`,
  description: 'Solana address in base58',
  'x-must': 'a Solana address: 32 to 44 characters of base58',
});

export const SignatureSchema = Type.String({
  pattern: `^${BASE58}{64,88}$`,
  description: 'Transaction signature in base58',
  'x-must': 'a transaction signature: 64 to 88 characters of base58',
});

/** Time in any format with a zone; the handler gets UTC with ms. */
export const TimestampSchema = Type.String({ format: 'date-time', maxLength: 100 });

/** Clamps to the nearest allowed value; only non-integers are rejected. */
export function clamped<Options extends { readonly minimum: number; readonly maximum?: number }>(options: Options) {
  return { ...options, 'x-clamped': true };
}

/** Clients of other platforms send unknown values. */
export function defaultWhenUnknown<Options extends { readonly default: string }>(options: Options) {
  return { ...options, 'x-default-when-unknown': true };
}

/** Zero counts as absent. */
export function absentAtZero<Options extends object>(options: Options) {
  return { ...options, 'x-absent-at-zero': true };
}

export const pageParameters = {
  page: Type.Integer(
    clamped({
      minimum: 1,
      default: 1,
      description:
        'Page, from 1; one behind the last answers the last, as `pagination.page` says: read on while `pagination.hasMore` is true',
    }),
  ),
  pageSize: Type.Integer(
    clamped({ minimum: 1, maximum: 100, default: 25, description: 'Entries on a page; more than 100 is 100' }),
  ),
};

export const MOST_ENTRIES = 100;

/** The `limit` of a list of these entries; a larger one counts as `most`. */
export function limitUpTo(most: number, usual: number, what = 'Entries') {
  const shown = most.toLocaleString('en-US');
  const description = `${what} at most; more than ${shown} is ${shown}`;
  return { limit: Type.Integer(clamped({ minimum: 1, maximum: most, default: usual, description })) };
}

export const limitParameter = limitUpTo(MOST_ENTRIES, 25);

export const cursorParameter = {
  cursor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 300,
      description: '`data.pagination.nextCursor` of the answer before this one',
    }),
  ),
};

export const modeParameter = {
  mode: Type.Optional(Type.Enum([...LAUNCH_MODES], { description: 'Only launches of this fee model' })),
};

export const airdropParameter = {
  airdrop: Type.Optional(
    Type.Boolean(
      ofFeature('airdrops', { description: '`true`: only launches with an airdrop; `false` filters nothing' }),
    ),
  ),
};

const usdBound = (description: string) =>
  Type.Optional(Type.Number({ minimum: 0, maximum: 1e15, description: `${description}, USD` }));

/** Ranges; a token without a market cap is in none of caps. */
export const rangeParameters = {
  minMarketCapUsd: usdBound('Only tokens with at least this market cap'),
  maxMarketCapUsd: usdBound('Only tokens with at most this market cap'),
  minVolume24hUsd: usdBound('Only tokens with at least this volume of the last 24 hours'),
  createdAfter: Type.Optional({ ...TimestampSchema, description: 'Only tokens launched at this time or later' }),
  createdBefore: Type.Optional({ ...TimestampSchema, description: 'Only tokens launched before this time' }),
};

/** Has no effect: omitted. */
export function airdropFilter(airdrop: boolean | undefined): { readonly airdrop?: true } {
  return airdrop === true ? { airdrop } : {};
}

/** Search text without control characters, which no name contains. */
export const SEARCHED = '^[^\\u0000-\\u001f\\u007f]{1,64}$';

export const SEARCHED_IN_WORDS = 'text of 1 to 64 characters without control characters';

export const categoryParameter = {
  category: Type.Optional(
    Type.String({
      pattern: SEARCHED,
      description: 'Only tokens whose pair is of this category',
      'x-must': SEARCHED_IN_WORDS,
    }),
  ),
};

export const MintParamsSchema = Type.Object({ mint: AddressSchema }, { additionalProperties: false });
