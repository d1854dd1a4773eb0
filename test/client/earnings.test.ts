import { expect, it } from 'vitest';
import { earningsOf } from '../../client/launch/earnings.ts';
import { localFees } from '../../dev/stand-in/state.ts';
import { type FeeMode, feeModelOf } from '../../domain/fee-models.ts';
import { FEE_TIERS, REWARD_TAXES_BPS } from '../../domain/token-facts.ts';

const MODES: readonly FeeMode[] = [
  ...FEE_TIERS.map((feeTier) => ({ mode: 'standard', feeTier }) as const),
  ...REWARD_TAXES_BPS.map((rewardTaxBps) => ({ mode: 'reward', rewardTaxBps }) as const),
];

it.each(MODES)('who earns what of a trade follows from the fee model and the exchange: %j', (fee) => {
  const { poolFeeTier, transferFeeBps, positions } = feeModelOf(fee);
  const { feePpm, protocolPpm, fundPpm } = localFees(poolFeeTier);
  const exchange = (feePpm * (protocolPpm + fundPpm)) / 1_000_000;
  const earned = { creator: 0, holders: transferFeeBps * 100, platform: 0, exchange };
  for (const { holder, shareBps } of positions)
    earned[holder === 'rewards' ? 'holders' : holder] += ((feePpm - exchange) * shareBps) / 10_000;
  expect(earningsOf(fee)).toEqual(earned);
});

it('the creator of a standard launch earns 0.42 % or 1.26 % of what is traded', () => {
  expect(FEE_TIERS.map((feeTier) => earningsOf({ feeTier }).creator)).toEqual([4_200, 12_600]);
});
