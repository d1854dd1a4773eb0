import BigNumber from 'bignumber.js';
import type { RewardRules } from '../../config/reward.ts';
import type { TokenRewards } from '../../db/reward/reward-reads.ts';
import { formatUnits } from '../../domain/amounts.ts';
import type { RewardTaxBps } from '../../domain/token-facts.ts';
import { amountAnswer } from '../answers/amounts.ts';
import { toNumber, toNumberOrNull } from '../answers/numbers.ts';
import { present } from '../answers/present.ts';
import type { PendingRewards } from './rewards.schema.ts';

/** Pending rewards and the rules. `quoteUsd`: per token, or null. */
export function pendingRewards(
  { undistributedRaw, quoteDecimals, unsoldRaw, decimals, priceUsd }: TokenRewards,
  transferTaxBps: RewardTaxBps,
  { rules, quoteUsd }: { readonly rules: RewardRules; readonly quoteUsd: string | null },
): PendingRewards {
  return {
    ...amountAnswer('pending', undistributedRaw, quoteDecimals),
    ...present({
      pendingUsd: worth(undistributedRaw, quoteDecimals, quoteUsd),
      pendingTaxUsd: worth(unsoldRaw, decimals, priceUsd),
      quotePriceUsd: toNumberOrNull(quoteUsd),
    }),
    transferTaxBps,
    minHoldingUsd: toNumber(rules.minHoldingUsd),
    minPayoutUsd: toNumber(rules.minPayoutUsd),
  };
}

/** Zero units are worth 0 even without a price. */
function worth(raw: bigint, decimals: number, priceUsd: string | null): number | null {
  if (raw === 0n) return 0;
  return priceUsd === null ? null : toNumber(new BigNumber(formatUnits(raw, decimals)).times(priceUsd).toFixed());
}
