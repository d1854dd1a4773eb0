import Type from 'typebox';
import { expect, test } from 'vitest';
import { cursorsOf } from '../../../api/answers/cursor.ts';
import { MalformedError } from '../../../api/errors.ts';

const Place = Type.Tuple([Type.Integer({ minimum: 0 })]);
const [list, other] = [cursorsOf('one list', Place), cursorsOf('another list', Place)];

test('a list reads its own cursors', () => {
  expect(list.read('wallet-1', list.write('wallet-1', [7]))).toEqual([7]);
});

test.each([
  ['of another list with places of the same shape', other.write('wallet-1', [7])],
  ['of another wallet', list.write('wallet-2', [7])],
  ['with a place of another shape', cursorsOf('one list', Type.Unknown()).write('wallet-1', ['7'])],
  ['with more than a place', Buffer.from(JSON.stringify([1, [7], 2])).toString('base64url')],
  ['that is no JSON', 'bm90aGluZw'],
  ['that is no list', Buffer.from('{"0":1}').toString('base64url')],
])('a cursor %s is refused', (_name, cursor) => {
  expect(() => list.read('wallet-1', cursor)).toThrow(MalformedError);
});
