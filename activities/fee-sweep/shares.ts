import type { Db } from '../../db/connect.ts';
import * as tokens from '../../db/tokens.ts';
import type { FeeSweepRules } from './deps.ts';

/** Shares of a sweep's revenue that are set aside, in bps. */
export type RevenueShares = Pick<FeeSweepRules, 'buybackBps' | 'flywheelBps'>;

/**
 * What is set aside of revenue in a quote token. Revenue that the platform token cannot be bought with, because it trades for
 * another quote token, is the protocol's: set aside for purchases of it, it would lie there for ever and be shown as spent on it.
 * Without a platform token the share waits for one.
 */
export async function sharesOf(db: Db, rules: FeeSweepRules, quoteMint: string): Promise<RevenueShares> {
  const { buybackBps, flywheelBps, platformToken } = rules;
  const launched = platformToken === null ? null : await tokens.byMint(db, platformToken);
  const isSpendable = launched === null || launched.quoteMint === quoteMint;
  return { buybackBps: isSpendable ? buybackBps : 0, flywheelBps };
}
