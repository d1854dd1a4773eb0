import { FEE_TIERS, type FeeTier } from '../fee-tiers.ts';
import type { LaunchWish } from './terms.ts';

/** The parts of each trade that are paid out, in millionths of what is traded. */
export interface Earnings {
  /** The holder of the creator's Fee Key. */
  readonly creator: number;
  /** Those who hold the token: transfer tax and fees, sold for the paired token. */
  readonly holders: number;
  readonly platform: number;
  /** The exchange that the pool is on. */
  readonly exchange: number;
}

const MILLIONTHS_OF_A_BPS = 100;

/** The exchange keeps so much of each fee, percent: its protocol 12, its fund 4. */
const EXCHANGE_PERCENT = 16;

/** The first position of a reward coin pays the holders; its part, bps. */
const HOLDERS_BPS = 5_000;

/** Returns who earns what of each trade. The rates are the pool's; the exchange can change its own part. */
export function earningsOf(wish: Pick<LaunchWish, 'mode' | 'feeTier' | 'rewardTaxBps'>): Earnings {
  switch (wish.mode ?? 'standard') {
    case 'standard': {
      const tier = wish.feeTier ?? '1%';
      const { first, ...others } = sharesOf(tier, FEE_TIERS[tier].firstShareBps);
      return { creator: first, holders: 0, ...others };
    }
    case 'reward': {
      const { first, ...others } = sharesOf('1%', HOLDERS_BPS);
      return { creator: 0, holders: first + (wish.rewardTaxBps ?? 100) * MILLIONTHS_OF_A_BPS, ...others };
    }
  }
}

/** @param firstBps of the first position in what the liquidity earns */
function sharesOf(tier: FeeTier, firstBps: number) {
  const fee = FEE_TIERS[tier].percent * 100 * MILLIONTHS_OF_A_BPS;
  const exchange = (fee * EXCHANGE_PERCENT) / 100;
  const first = ((fee - exchange) * firstBps) / 10_000;
  return { first, platform: fee - exchange - first, exchange };
}
