import type { PositionFees } from '../../chain/exchange/position-fees.ts';
import type { PriceSource } from '../../chain/prices/price-source.ts';
import { claimableAnswer, type ClaimedToken } from './claimable-answer.ts';
import type { ClaimPrepared } from './fees.schema.ts';
import type { IssuedClaim } from './issue-claim.ts';

export async function preparedAnswer(
  prices: PriceSource,
  token: ClaimedToken,
  fees: PositionFees,
  { intent, transaction }: IssuedClaim,
): Promise<ClaimPrepared> {
  const { intentId, mint, wallet, expiresAt } = intent;
  return {
    intentId,
    transaction,
    mint,
    creatorWallet: wallet,
    expiresAt: expiresAt.toISOString(),
    amounts: await claimableAnswer(prices, token, fees),
  };
}
