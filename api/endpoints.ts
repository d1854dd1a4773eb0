import type { EndpointDeps } from './deps.ts';
import type { ApiInstance } from './instance.ts';
import { claimPreparePost } from './claim/claim-prepare.post.ts';
import { claimSubmitPost } from './claim/claim-submit.post.ts';
import { feesGet } from './claim/fees.get.ts';
import { eventStreamGet } from './events/event-stream.get.ts';
import { eventsGet } from './events/events.get.ts';
import { launchPreparePost } from './launch/prepare.post.ts';
import { launchesGet } from './launch/launches.get.ts';
import { launchReceiptGet } from './launch/receipt.get.ts';
import { launchStatusGet } from './launch/status.get.ts';
import { launchSubmitPost } from './launch/submit.post.ts';
import { openapiGet } from './openapi/openapi.get.ts';
import { pairsGet } from './pairs/pairs.get.ts';
import { logGet } from './platform/log.get.ts';
import { platformStatementGet } from './platform/statement.get.ts';
import { walletsGet } from './platform/wallets.get.ts';
import { revenueHistoryGet } from './revenue/history.get.ts';
import { revenueGet } from './revenue/revenue.get.ts';
import { rewardsGet } from './reward/rewards.get.ts';
import { leftOutGet } from './reward/left-out.get.ts';
import { rewardRoundsGet } from './reward/reward-rounds.get.ts';
import { rewardStatementGet } from './reward/statement.get.ts';
import { tokenRewardsGet } from './reward/token-rewards.get.ts';
import { statsGet } from './stats/stats.get.ts';
import { airdropGet } from './tokens/airdrop.get.ts';
import { burnsGet } from './tokens/burns.get.ts';
import { candlesGet } from './tokens/candles.get.ts';
import { holdersGet } from './tokens/holders.get.ts';
import { tokenGet } from './tokens/token.get.ts';
import { tokensGet } from './tokens/tokens.get.ts';
import { tradesGet } from './tokens/trades.get.ts';
import { claimManyPost } from './wallets/claim-many.post.ts';
import { walletGet } from './wallets/wallet.get.ts';
import { walletClaimsGet } from './wallets/wallet-claims.get.ts';
import { walletRewardsGet } from './wallets/wallet-rewards.get.ts';
import { walletTradesGet } from './wallets/wallet-trades.get.ts';

/** Registers an endpoint; its path is relative to the versioned root. */
export type Endpoint = (app: ApiInstance, deps: EndpointDeps) => void;

/** An endpoint that is not in this list does not exist, in the API or its document. */
export const versionedEndpoints: readonly Endpoint[] = [
  openapiGet,
  tokensGet,
  tokenGet,
  candlesGet,
  tradesGet,
  holdersGet,
  airdropGet,
  burnsGet,
  tokenRewardsGet,
  rewardRoundsGet,
  leftOutGet,
  rewardStatementGet,
  launchesGet,
  pairsGet,
  rewardsGet,
  revenueGet,
  revenueHistoryGet,
  walletsGet,
  logGet,
  platformStatementGet,
  statsGet,
  walletGet,
  walletRewardsGet,
  walletClaimsGet,
  walletTradesGet,
  eventsGet,
  eventStreamGet,
  launchPreparePost,
  launchSubmitPost,
  launchStatusGet,
  launchReceiptGet,
  feesGet,
  claimPreparePost,
  claimSubmitPost,
  claimManyPost,
];
