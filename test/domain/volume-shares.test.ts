import { expect, it } from 'vitest';
import { runSwap } from '../../chain/exchange/pool-math/swap.ts';
import { sqrtPriceAtTick } from '../../chain/exchange/pool-math.ts';
import { type FeeMode, feeModelOf } from '../../domain/fee-models.ts';
import { EXCHANGE_CUT, volumeSharesOf } from '../../domain/volume-shares.ts';

const MODES: FeeMode[] = [
  { mode: 'standard', feeTier: '1%' },
  { mode: 'standard', feeTier: '2%' },
  { mode: 'reward', rewardTaxBps: 100 },
  { mode: 'reward', rewardTaxBps: 300 },
];

const LIQUIDITY = 10n ** 18n;
const PAID_IN = 10n ** 12n;

it.each(MODES)('the shares of %j are what a trade by the pool’s arithmetic pays each position', (fee) => {
  const shares = volumeSharesOf(fee);
  const pool = { sqrtPriceX64: sqrtPriceAtTick(0), tick: 0, liquidity: LIQUIDITY, ticks: [edge(-120), edge(120)] };
  const rates = { feePpm: shares.poolFeePpm, ...EXCHANGE_CUT };
  const result = runSwap(pool, rates, { zeroForOne: true, exact: 'in', amount: PAID_IN });
  if (result.fill !== 'filled') throw new Error(result.fill);
  const { feeGrowthX64, protocolFee, fundFee } = result.outcome;
  for (const { holder, shareBps } of feeModelOf(fee).positions) {
    const earned = (((LIQUIDITY * BigInt(shareBps)) / 10_000n) * feeGrowthX64) >> 64n;
    expect(ppmOf(earned)).toBeCloseTo(shares.holders[holder], 2);
  }
  expect(ppmOf(protocolFee + fundFee)).toBe(shares.exchangePpm);
});

it.each(MODES)('no part of the pool’s fee of %j is left over', (fee) => {
  const { poolFeePpm, exchangePpm, holders } = volumeSharesOf(fee);
  expect(exchangePpm + holders.creator + holders.platform + holders.rewards).toBe(poolFeePpm);
});

const edge = (tick: number) => ({ tick, liquidityNet: tick < 0 ? LIQUIDITY : -LIQUIDITY });

/** To three decimals. */
const ppmOf = (raw: bigint): number => Number((raw * 1_000_000_000n) / PAID_IN) / 1_000;
