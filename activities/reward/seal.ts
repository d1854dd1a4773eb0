import { transaction } from '../../db/connect.ts';
import { proveUnsigned } from '../../db/money/due-lock.ts';
import * as rewardRounds from '../../db/reward/reward-rounds.ts';
import type { RewardRound } from '../../db/reward/reward-rounds.ts';
import * as rewardTransactions from '../../db/reward/reward-transactions.ts';
import * as sealedPlans from '../../db/reward/sealed-plans.ts';
import { sealWork } from '../../chain/transactions/seal.ts';
import { signPurposed } from '../../chain/transactions/purposed.ts';
import { moveAndBook } from './book.ts';
import { frameOf } from './collect.ts';
import type { RewardDeps } from './deps.ts';
import type { RewardMarket } from './market.ts';
import { restorePlan } from './restore-plan.ts';

/**
 * Commits to the plan of a round on the chain, once and finally; only then may its payouts be signed. If the chain
 * holds the seal of another plan, which a restored database lost, that plan takes this one's place.
 * @throws SealedPlanMissingError if the database lacks the document of that plan
 */
export async function sealPlan(deps: RewardDeps, market: RewardMarket, round: RewardRound): Promise<void> {
  const { sealedRoot } = round;
  if (round.state !== 'sealing' || sealedRoot === null) return;
  const { n } = await sealOf(deps, round);
  await moveAndBook(deps, {
    round,
    market,
    n,
    isOwed: true,
    build: (stamp) => {
      const frame = frameOf(deps, market, stamp);
      const seal = { root: Buffer.from(sealedRoot, 'hex'), about: market.pot.publicKey };
      return signPurposed(frame, sealWork(frame.payer.publicKey, seal));
    },
  });
  const { root, signature } = await sealOf(deps, round);
  if (root === null) throw new Error(`the seal ${signature} of reward round ${round.id} names no root`);
  if (root === sealedRoot) {
    await rewardRounds.advance(deps.db, round.id, 'sealing', 'paying');
    return;
  }
  deps.logger.error({ roundId: round.id, signature, sealedRoot, root }, 'another plan of a reward round is sealed');
  await dropPlan(deps, round);
  await restorePlan(deps, market, round, root);
}

async function sealOf({ db }: RewardDeps, { id }: RewardRound) {
  const seals = await rewardTransactions.ofRound(db, id, 'seal');
  const seal = seals.find(({ state }) => state !== 'void');
  if (!seal) throw new Error(`reward round ${id} is to be sealed, and has no transaction for it`);
  return seal;
}

/** Takes a plan back that is not the sealed one. @throws PurposeSignedError if a payout of it is signed */
function dropPlan({ db }: RewardDeps, { id }: RewardRound): Promise<void> {
  return transaction(db, async (tx) => {
    await rewardRounds.lock(tx, id);
    const lock = await rewardTransactions.lockAllDue(tx, id);
    if (lock) await sealedPlans.drop(await proveUnsigned(lock));
  });
}
