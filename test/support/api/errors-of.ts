import type { LightMyRequestResponse } from 'fastify';
import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';
import { ERROR_CODES } from '../../../domain/errors.ts';

/** The four fields of an error, exactly. */
const FailureSchema = Type.Object({
  error: Type.Object(
    {
      code: Type.Enum([...ERROR_CODES]),
      message: Type.String({ minLength: 1 }),
      retryable: Type.Boolean(),
      retryAfterSeconds: Type.Integer({ minimum: 0 }),
    },
    { additionalProperties: false },
  ),
});

/** The error of an answer. Throws when the answer is not in the error envelope. */
export function errorOf(answer: Pick<LightMyRequestResponse, 'body'>): Static<typeof FailureSchema>['error'] {
  return Value.Parse(FailureSchema, JSON.parse(answer.body)).error;
}
