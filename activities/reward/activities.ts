import * as rewardRounds from '../../db/reward/reward-rounds.ts';
import type { RewardRound } from '../../db/reward/reward-rounds.ts';
import { errorText } from '../../domain/error-text.ts';
import { collectRewards } from './collect.ts';
import type { RewardDeps } from './deps.ts';
import { planPayouts } from './plan-payouts.ts';
import { payHolders } from './pay.ts';
import { openRounds, planQuietRewards, planRewardPage, planRewardRounds } from './plan.ts';
import { sellRewards } from './sell.ts';
import { observeHolders, takeSnapshot } from './snapshots.ts';

export type { RewardDeps } from './deps.ts';

export type RewardActivities = ReturnType<typeof createRewardActivities>;

/** The steps of a reward round. Each finds out what was done already: a step that is done again changes nothing. */
export function createRewardActivities(deps: RewardDeps) {
  const step =
    <Args extends unknown[], Result>(
      work: (deps: RewardDeps, round: RewardRound, ...args: Args) => Promise<Result>,
    ): ((roundId: string, ...args: Args) => Promise<Result>) =>
    (roundId, ...args) =>
      takeStep(deps, roundId, (own, round) => work(own, round, ...args));
  return {
    /** Ids of all open rounds, oldest first. */
    openRewardRounds: () => openRounds(deps),
    /** Plans what is due on a page of tokens whose pools changed, those after this pool. */
    planRewardPage: (after: string) => planRewardPage(deps, after),
    /** Plans what is due among tokens that nobody traded for long; answers the ids of the rounds that it planned. */
    planQuietRewards: () => planQuietRewards(deps),
    /** As runs plan that began before pages. */
    planRewardRounds: () => planRewardRounds(deps),
    /** Brings withheld tax and the position's fees into the token's pot. */
    collectRewards: step(collectRewards),
    /** Sells what was collected. Answers 0 when that has come to its end, or in how many ms it is due. */
    sellRewards: step(sellRewards),
    /** Observes the balances as far as that is due. Answers null once that is over, or what to wait for and to come back with. */
    observeRewardHolders: step(observeHolders),
    /** As runs observe that began before one step saw to all observations: for the nth time, from 0. */
    takeRewardSnapshot: step(takeSnapshot),
    /** Decides who gets how much. */
    planRewardPayouts: step(planPayouts),
    /** Pays the next of them, once. Answers how many transactions are left; after the last one the round has ended. */
    payRewards: step(payHolders),
  };
}

/** How often a step says that its worker is there, ms. */
const HEARTBEAT_EVERY_MS = 2_500;

/** Does one step of a round and keeps with the round why it failed, for the operator. */
async function takeStep<Result>(
  deps: RewardDeps,
  roundId: string,
  work: (deps: RewardDeps, round: RewardRound) => Promise<Result>,
): Promise<Result> {
  const round = await rewardRounds.byId(deps.db, roundId);
  if (!round) throw new Error(`there is no reward round ${roundId}`);
  const logger = deps.logger.child({ roundId, mint: round.mint });
  // A step may wait long for one answer; a worker that is gone is noticed all the same.
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
