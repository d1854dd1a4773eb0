import { describe, expect, test } from 'vitest';
import { errorText, errorTextWithCauses, errorTrace } from '../../domain/error-text.ts';

describe('what an error says', () => {
  test('is its message', () => expect(errorText(new RangeError('slot 5 is gone'))).toBe('slot 5 is gone'));
  test('is the value where something else was thrown', () => expect(errorText('no reason')).toBe('no reason'));
  test('is what its parts say where it is an aggregate without a message', () => {
    const refused = new AggregateError([new Error('::1 refused'), new Error('127.0.0.1 refused')]);
    expect(errorText(refused)).toBe('::1 refused; 127.0.0.1 refused');
  });
});

describe('what an error says with its causes', () => {
  const refused = new Error('connect ECONNREFUSED 127.0.0.1:1');

  test('names a cause that its message leaves out', () => {
    const error = new TypeError('fetch failed', { cause: refused });
    expect(errorTextWithCauses(error)).toBe('fetch failed (connect ECONNREFUSED 127.0.0.1:1)');
  });
  test('does not repeat a cause that its message names', () => {
    const error = new Error(`no chain: ${refused.message}`, { cause: refused });
    expect(errorTextWithCauses(error)).toBe('no chain: connect ECONNREFUSED 127.0.0.1:1');
  });
});

test('the trace of an error says where it comes from, and that of a thrown value what it is', () => {
  expect(errorTrace(new Error('unexpected'))).toMatch(/^Error: unexpected\n +at .*error-text\.test\.ts/);
  expect(errorTrace(17)).toBe('17');
});
