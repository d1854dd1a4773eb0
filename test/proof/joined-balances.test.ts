import { expect, it } from 'vitest';
import { inOrder } from '../../client/verify/statement/joined-balances.ts';

const step = (slot: number, before: bigint, after: bigint) => ({ slot, before, after });

it.each([
  ['one that moved nothing before the one that brought tokens', [step(1, 0n, 50n), step(1, 0n, 0n)]],
  [
    'one that moved nothing in the middle',
    [step(1, 0n, 150n), step(1, 150n, 300n), step(1, 300n, 400n), step(1, 150n, 150n)],
  ],
  ['one behind a gift', [step(1, 57n, 60n), step(1, 0n, 50n)]],
  ['a sale between two collections of the same amount', [step(1, 0n, 50n), step(1, 0n, 50n), step(1, 50n, 0n)]],
  ['steps of two slots', [step(1, 5n, 9n), step(1, 0n, 5n), step(2, 9n, 9n), step(2, 9n, 0n)]],
])('steps of one slot are ordered without a loss between them: %s', (_what, steps) => {
  const ordered = inOrder(steps);
  expect(ordered.toSorted(byText)).toEqual(steps.toSorted(byText));
  expect(ordered.slice(1).filter(({ before }, index) => before < ordered[index]!.after)).toEqual([]);
});

it.each([
  ['two payouts behind a gift', [step(1, 0n, 100n), step(2, 120n, 100n), step(2, 150n, 120n)], 100n],
  ['a payout between two gifts', [step(1, 0n, 100n), step(2, 110n, 90n), step(2, 130n, 125n), step(2, 95n, 95n)], 125n],
  [
    'a whole payment of tokens that were there',
    [step(1, 0n, 9n), step(2, 9n, 0n), step(2, 0n, 9n), step(3, 9n, 9n)],
    9n,
  ],
])('a gift hides no order in which the next balance follows: %s', (_what, steps, now) => {
  const ordered = inOrder(steps);
  const ends = [...ordered.slice(1).map(({ before }) => before), now];
  expect(ordered.filter(({ after }, index) => ends[index]! < after)).toEqual([]);
});

it('where every order has a loss, the steps stay as the platform shows them', () => {
  const steps = [step(1, 0n, 50n), step(1, 40n, 60n)];
  expect(inOrder(steps)).toEqual(steps);
});

it('a slot with hundreds of steps ends soon, also where no order is without a loss', () => {
  const same = Array.from({ length: 300 }, () => step(1, 0n, 1n));
  expect(inOrder(same)).toHaveLength(300);
});

function byText(a: object, b: object): number {
  const [left, right] = [a, b].map((one) => Object.values(one).join('/'));
  return left! < right! ? -1 : Number(left !== right);
}
