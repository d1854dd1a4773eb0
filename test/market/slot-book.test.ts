import { expect, test } from 'vitest';
import { PoolTail, type TailStep } from '../../domain/market/pool-tail.ts';
import { SlotBook } from '../../domain/market/slot-book.ts';

const bookOf = (...blocks: readonly (readonly [slot: number, parent: number])[]): SlotBook => {
  const book = new SlotBook();
  for (const [slot, parent] of blocks) book.noteBlock({ slot, parent, blockTime: slot });
  return book;
};

test('a final slot makes its parents final, and what lies between them is gone', () => {
  const book = bookOf([10, 9], [11, 10], [12, 10], [13, 12]);
  expect(book.fateOf(11)).toBe('open');
  book.noteFinal(13);
  expect([10, 11, 12, 13].map((slot) => book.fateOf(slot))).toEqual(['final', 'gone', 'final', 'final']);
  expect(book.fateOf(14)).toBe('open');
});

test('nothing is said of slots before the first block, or before a block that was not told of', () => {
  const book = bookOf([10, 9], [12, 11], [13, 12]);
  book.noteFinal(10);
  book.noteFinal(13);
  expect([8, 10, 11, 12].map((slot) => book.fateOf(slot))).toEqual(['unknown', 'final', 'final', 'final']);
});

const step = (signature: string, slot: number, before: bigint, after: bigint): TailStep => ({
  signature,
  slot,
  before,
  after,
  place: 0,
});

test('a tail holds what links, and beside it what does not until the missing one comes', () => {
  const tail = new PoolTail<TailStep>({ slot: 5, raw: 1n });
  tail.add([step('a', 6, 1n, 2n), step('c', 8, 3n, 4n), step('old', 5, 0n, 1n)]);
  expect([tail.rawAt(), tail.loose.length]).toEqual([2n, 1]);
  tail.add([step('b', 7, 2n, 3n), step('a', 6, 1n, 2n)]);
  expect([tail.rawAt(), tail.loose.length, tail.linked.length, tail.rawAt(7)]).toEqual([4n, 0, 3, 3n]);
  tail.moveTo({ slot: 7, raw: 3n });
  expect(tail.linked.map(({ signature }) => signature)).toEqual(['c']);
});

test('a transaction that lands again in another slot is there, once; one of a dead slot is gone', () => {
  const tail = new PoolTail<TailStep>({ slot: 5, raw: 1n });
  tail.add([step('a', 6, 1n, 2n)]);
  tail.add([step('a', 9, 1n, 2n)]);
  expect(tail.linked.map(({ slot }) => slot)).toEqual([9]);
  expect(tail.drop(({ slot }) => slot === 9)).toHaveLength(1);
  expect([tail.isEmpty, tail.rawAt()]).toEqual([true, 1n]);
});
