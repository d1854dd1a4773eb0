import type { ApiDeps } from './deps.ts';
import type { ApiInstance } from './instance.ts';
import { claimPreparePost } from './claim/claim-prepare.post.ts';
import { claimSubmitPost } from './claim/claim-submit.post.ts';
import { feesGet } from './claim/fees.get.ts';
import { launchPreparePost } from './launch/prepare.post.ts';
import { launchesGet } from './launch/launches.get.ts';
import { launchStatusGet } from './launch/status.get.ts';
import { launchSubmitPost } from './launch/submit.post.ts';
import { openapiGet } from './openapi/openapi.get.ts';
import { pairsGet } from './pairs/pairs.get.ts';
import { revenueHistoryGet } from './revenue/history.get.ts';
import { revenueGet } from './revenue/revenue.get.ts';
import { rewardsGet } from './reward/rewards.get.ts';
import { leftOutGet } from './reward/left-out.get.ts';
import { rewardRoundsGet } from './reward/reward-rounds.get.ts';
import { tokenRewardsGet } from './reward/token-rewards.get.ts';
import { statsGet } from './stats/stats.get.ts';
import { airdropGet } from './tokens/airdrop.get.ts';
import { burnsGet } from './tokens/burns.get.ts';
import { candlesGet } from './tokens/candles.get.ts';
import { holdersGet } from './tokens/holders.get.ts';
import { tokenGet } from './tokens/token.get.ts';
import { tokensGet } from './tokens/tokens.get.ts';
import { tradesGet } from './tokens/trades.get.ts';

/** Registers one endpoint; its path is relative to the versioned root. */
export type Endpoint = (app: ApiInstance, deps: ApiDeps) => void;

/** Every versioned endpoint. What is not in this list does not exist, in the API or in its document. */
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
  launchesGet,
  pairsGet,
  rewardsGet,
  revenueGet,
  revenueHistoryGet,
  statsGet,
  launchPreparePost,
  launchSubmitPost,
  launchStatusGet,
  feesGet,
  claimPreparePost,
  claimSubmitPost,
];
