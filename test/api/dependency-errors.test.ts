import { expect, test } from 'vitest';
import { isDependencyDown } from '../../api/plugins/dependency-errors.ts';
import { RpcAnswerError, RpcUnavailableError } from '../../chain/rpc/json-rpc.ts';

const withCode = (code: number | string) => Object.assign(new Error(`code ${code}`), { code });

test.each([
  ['an endpoint that does not answer', new RpcUnavailableError('a did not answer')],
  ['an endpoint that is behind the slot asked for', new RpcAnswerError('a: not reached', -32_016, null)],
  ['Temporal, unavailable', withCode(14)],
  ['Temporal, too slow', withCode(4)],
  ['PostgreSQL, starting', withCode('57P03')],
  ['a socket of fetch', withCode('UND_ERR_SOCKET')],
])('%s is away, also as the cause of another error or one of several', (_what, error) => {
  expect(isDependencyDown(error)).toBe(true);
  expect(isDependencyDown(new Error('outer', { cause: error }))).toBe(true);
  expect(isDependencyDown(new AggregateError([new Error('another'), error]))).toBe(true);
});

test.each([
  ['an endpoint that refuses what it was asked', new RpcAnswerError('a: invalid params', -32_602, null)],
  ['a statement that is wrong', withCode('42P01')],
  ['Temporal, refusing an argument', withCode(3)],
  ['a fault of this service', new TypeError('x is undefined')],
  ['no error', 'text'],
])('%s is not', (_what, error) => {
  expect(isDependencyDown(error)).toBe(false);
});
