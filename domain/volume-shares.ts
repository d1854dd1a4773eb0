import { type FeeMode, feeModelOf, type PositionHolder } from './fee-models.ts';

/** Raydium's part of each swap fee, ppm: `protocol_fee_rate` and `fund_fee_rate` of its configurations in 2026. */
export const EXCHANGE_CUT = { protocolPpm: 120_000, fundPpm: 40_000 } as const;

const PPM = 1_000_000;

/** Receivers of a trade's pool fee, each in ppm of the traded volume. */
export interface VolumeShares {
  readonly poolFeePpm: number;
  readonly exchangePpm: number;
  /** 0 for a holder who has no position of the launch. */
  readonly holders: Readonly<Record<PositionHolder, number>>;
}

/** Exact for every fee mode: rates are whole percents and positions whole quarters. Leaves out the transfer tax. */
export function volumeSharesOf(fee: FeeMode): VolumeShares {
  const { poolFeePercent, positions } = feeModelOf(fee);
  const poolFeePpm = poolFeePercent * 10_000;
  const exchangePpm = (poolFeePpm * (EXCHANGE_CUT.protocolPpm + EXCHANGE_CUT.fundPpm)) / PPM;
  const holders: Record<PositionHolder, number> = { creator: 0, platform: 0, rewards: 0 };
  for (const { holder, shareBps } of positions) holders[holder] = ((poolFeePpm - exchangePpm) * shareBps) / 10_000;
  return { poolFeePpm, exchangePpm, holders };
}
