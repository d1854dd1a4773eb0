import * as rewardRounds from '../../db/reward/reward-rounds.ts';
import type { RewardRound } from '../../db/reward/reward-rounds.ts';
import { errorText } from '../../domain/error-text.ts';
import { collectRewards } from './collect.ts';
import type { RewardDeps } from './deps.ts';
import { planPayouts } from './plan-payouts.ts';
import { payHolders } from './pay.ts';
import { openRounds, planQuietRewards, planRewardPage } from './plan.ts';
import { sellRewards } from './sell.ts';
import { observeHolders } from './snapshots.ts';

export type { RewardDeps } from './deps.ts';

export type RewardActivities = ReturnType<typeof createRewardActivities>;

/** Idempotent. */
export function createRewardActivities(deps: RewardDeps) {
  const step =
    <Args extends unknown[], Result>(
      work: (deps: RewardDeps, round: RewardRound, ...args: Args) => Promise<Result>,
    ): ((roundId: string, ...args: Args) => Promise<Result>) =>
    (roundId, ...args) =>
      takeStep(deps, roundId, (own, round) => work(own, round, ...args));
  return {
    openRewardRounds: () => openRounds(deps),
    /** Of tokens whose pools changed, after this pool. */
    planRewardPage: (after: string) => planRewardPage(deps, after),
    /** Tokens without recent trades. Returns the ids of the planned rounds. */
    planQuietRewards: () => planQuietRewards(deps),
    collectRewards: step(collectRewards),
    /** Returns 0, or the ms until the sale is due. */
    sellRewards: step(sellRewards),
    /** Returns null when done, or what to wait for. */
    observeRewardHolders: step(observeHolders),
    planRewardPayouts: step(planPayouts),
    /** Returns the transactions left; after the last the round has ended. */
    payRewards: step(payHolders),
  };
}

const HEARTBEAT_EVERY_MS = 2_500;

async function takeStep<Result>(
  deps: RewardDeps,
  roundId: string,
  work: (deps: RewardDeps, round: RewardRound) => Promise<Result>,
): Promise<Result> {
  const round = await rewardRounds.byId(deps.db, roundId);
  if (!round) throw new Error(`there is no reward round ${roundId}`);
  const logger = deps.logger.child({ roundId, mint: round.mint });
  // One response may take long; heartbeats reveal a dead worker.
  const alive = setInterval(deps.heartbeat, HEARTBEAT_EVERY_MS);
  try {
    const result = await work({ ...deps, logger }, round);
    if (round.problem !== null) await rewardRounds.clearProblem(deps.db, roundId);
    return result;
  } catch (error) {
    await rewardRounds.noteProblem(deps.db, roundId, errorText(error));
    throw error;
  } finally {
    clearInterval(alive);
  }
}
