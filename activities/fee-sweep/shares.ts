import type { Db } from '../../db/connect.ts';
import * as tokens from '../../db/tokens.ts';
import type { FeeSweepRules } from './deps.ts';

export type RevenueShares = Pick<FeeSweepRules, 'buybackBps' | 'flywheelBps'>;

/**
 * The buyback share is 0 where the platform token trades for another quote token: it could never be spent. Without a
 * platform token the share waits for one.
 */
export async function sharesOf(
  db: Db,
  rules: RevenueShares & Pick<FeeSweepRules, 'platformToken'>,
  quoteMint: string,
): Promise<RevenueShares> {
  const { buybackBps, flywheelBps, platformToken } = rules;
  const launched = platformToken === null ? null : await tokens.byMint(db, platformToken);
  const isSpendable = launched === null || launched.quoteMint === quoteMint;
  return { buybackBps: isSpendable ? buybackBps : 0, flywheelBps };
}
