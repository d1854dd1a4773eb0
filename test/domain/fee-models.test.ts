import { describe, expect, it } from 'vitest';
import { type FeeMode, feeModelOf } from '../../domain/fee-models.ts';

const MODES: [FeeMode, string, number, number, number, string][] = [
  [{ mode: 'standard', feeTier: '1%' }, '1%', 0, 5_000, 5_000, 'creator'],
  [{ mode: 'standard', feeTier: '2%' }, '2%', 0, 7_500, 2_500, 'creator'],
  [{ mode: 'reward', rewardTaxBps: 100 }, '1%', 100, 5_000, 5_000, 'rewards'],
  [{ mode: 'reward', rewardTaxBps: 300 }, '1%', 300, 5_000, 5_000, 'rewards'],
];

describe.each(MODES)('the fee model of %j', (fee, poolFeeTier, transferFeeBps, first, second, holder) => {
  const model = feeModelOf(fee);

  it('has the pool, the tax and the two positions of the specification', () => {
    expect(model).toEqual({
      mode: fee.mode,
      poolFeeTier,
      poolFeePercent: Number.parseInt(poolFeeTier),
      transferFeeBps,
      positions: [
        { holder, shareBps: first },
        { holder: 'platform', shareBps: second },
      ],
    });
  });

  it('gives away the whole pool and no more', () => {
    expect(model.positions[0].shareBps + model.positions[1].shareBps).toBe(10_000);
  });
});

it('a creator exists on standard launches only', () => {
  const withCreator = MODES.filter(([fee]) => feeModelOf(fee).positions.some(({ holder }) => holder === 'creator'));
  expect(withCreator.map(([fee]) => fee.mode)).toEqual(['standard', 'standard']);
});
