import Type, { type TObject, type TProperties } from 'typebox';
import { ERROR_CODES, type ErrorCode, HTTP_STATUS } from '../../domain/errors.ts';
import { moment, record, text } from '../answers/fields.ts';

export const SuccessSchema = Type.Object(
  { data: Type.Object({}, { additionalProperties: true }), meta: Type.Object({}, { additionalProperties: true }) },
  { description: 'Success' },
);

const MetaSchema = record({
  generatedAt: moment('When the answer was made'),
  requestId: Type.Optional(text('Of an answer that is for this request alone')),
});

const DESCRIPTIONS: Readonly<Record<ErrorCode, string>> = {
  invalid_request: 'A parameter is missing or malformed',
  forbidden: 'Refused outright',
  not_found: 'No such resource',
  method_not_allowed: 'Wrong HTTP method for the path',
  conflict: 'Well-formed but the wrong moment',
  rate_limited:
    'The limit per minute is exceeded, or too many requests of this address are under way; honour Retry-After',
  internal: 'Server-side failure',
  service_unavailable: 'A dependency or feature is temporarily unavailable',
};

export const ErrorSchema = record({
  code: Type.Enum([...ERROR_CODES], { description: 'Stable; branch on it' }),
  message: Type.String({ description: 'For people; may be reworded' }),
  retryable: Type.Boolean(),
  retryAfterSeconds: Type.Integer({ minimum: 0, description: '0 where waiting does not help' }),
});

const COMMON = [
  'invalid_request',
  'not_found',
  'method_not_allowed',
  'rate_limited',
  'internal',
  'service_unavailable',
] as const satisfies readonly ErrorCode[];

export type Failures = Readonly<Partial<Record<ErrorCode, TProperties>>>;

export function responses(data: TObject, failures: Failures = {}): Record<number, TObject> {
  const codes = ERROR_CODES.filter((code) => (COMMON as readonly ErrorCode[]).includes(code) || code in failures);
  const all = codes.map((code) => [HTTP_STATUS[code], failureSchema(code, failures[code])] as const);
  return { 200: record({ data, meta: MetaSchema }, 'Success'), ...Object.fromEntries(all) };
}

export function failureSchema(
  code: ErrorCode,
  beside: TProperties = {},
  description: string = DESCRIPTIONS[code],
): TObject {
  return record({ ...beside, error: ErrorSchema }, description);
}
