import { expect, it } from 'vitest';
import { AppError, ERROR_CODES } from '../../domain/errors.ts';

it.each([
  ['invalid_request', 400, false],
  ['forbidden', 403, false],
  ['not_found', 404, false],
  ['method_not_allowed', 405, false],
  ['conflict', 409, false],
  ['rate_limited', 429, true],
  ['internal', 500, true],
  ['service_unavailable', 503, true],
] as const)('%s is HTTP %i and by default retryable: %s', (code, httpStatus, retryable) => {
  const cause = new Error('why');
  expect(new AppError(code, 'what', { cause })).toMatchObject({
    code,
    httpStatus,
    retryable,
    retryAfterSeconds: 0,
    message: 'what',
    cause,
  });
  expect(new AppError(code, 'what', { retryable: !retryable }).retryable).toBe(!retryable);
});

it('there are eight codes', () => {
  expect(ERROR_CODES).toHaveLength(8);
});
