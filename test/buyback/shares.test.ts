import { describe, expect, it } from 'vitest';
import { buybackBurnPurpose, buybackId, buybackSwapPurpose, divideByWeight } from '../../domain/buyback/buyback.ts';

describe('a budget divided by weights', () => {
  it.each([
    [100n, ['1', '1', '1'], [33n, 33n, 33n]],
    [100n, ['0.0000000001', '0.0000000003'], [25n, 75n]],
    [2n ** 63n, ['1'], [2n ** 63n]],
    [18_446_744_073_709_551_615n, ['2', '1'], [12_297_829_382_473_034_410n, 6_148_914_691_236_517_205n]],
    [0n, ['5'], [0n]],
    [7n, [], []],
  ])('%s by %s', (amount, weights, shares) => {
    expect(divideByWeight(amount, weights)).toEqual(shares);
  });

  it('is never more than the budget', () => {
    for (let amount = 0n; amount < 200n; amount++) {
      const sum = divideByWeight(amount, ['3.7', '1.1', '9', '0.01']).reduce((all, share) => all + share, 0n);
      expect(sum <= amount && amount - sum < 4n).toBe(true);
    }
  });
});

it('purposes name the purchase by kind, token and number', () => {
  const id = buybackId('flywheel', 'Mint', 3);
  expect([buybackSwapPurpose(id), buybackBurnPurpose(id, 1)]).toEqual([
    'buyback/flywheel-Mint-3/swap',
    'buyback/flywheel-Mint-3/burn/1',
  ]);
});
