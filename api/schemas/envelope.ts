import Type, { type TObject } from 'typebox';
import { ERROR_CODES, type ErrorCode, HTTP_STATUS } from '../../domain/errors.ts';

/** Every success, as SPEC documents it: two objects. */
export const SuccessSchema = Type.Object(
  { data: Type.Object({}, { additionalProperties: true }), meta: Type.Object({}, { additionalProperties: true }) },
  { description: 'Success' },
);

const DESCRIPTIONS: Readonly<Record<ErrorCode, string>> = {
  invalid_request: 'A parameter is missing or malformed',
  forbidden: 'Refused outright',
  not_found: 'No such resource',
  method_not_allowed: 'Wrong HTTP method for the path',
  conflict: 'Well-formed but the wrong moment',
  rate_limited: 'The limit per minute is exceeded; honour Retry-After',
  internal: 'Server-side failure',
  service_unavailable: 'A dependency or feature is temporarily unavailable',
};

/** The object `error` of every failure. */
export const ErrorSchema = Type.Object({
  code: Type.Enum([...ERROR_CODES], { description: 'Stable; branch on it' }),
  message: Type.String({ description: 'For people; may be reworded' }),
  retryable: Type.Boolean(),
  retryAfterSeconds: Type.Integer({ description: '0 where waiting does not help' }),
});

/** Responses of an operation: the success, and a failure for each of the given codes beside those every operation has. */
export function responses(...codes: ErrorCode[]): Record<number, TObject> {
  const common: ErrorCode[] = [
    'invalid_request',
    'not_found',
    'method_not_allowed',
    'rate_limited',
    'internal',
    'service_unavailable',
  ];
  const failures = [...common, ...codes].map((code) => [HTTP_STATUS[code], failureSchema(code)] as const);
  return { 200: SuccessSchema, ...Object.fromEntries(failures) };
}

function failureSchema(code: ErrorCode): TObject {
  return Type.Object({ error: ErrorSchema }, { description: DESCRIPTIONS[code] });
}
