import { PublicKey } from '@solana/web3.js';
import { tokenAccountOf } from '../../chain/tokens/associated-account.ts';
import { type PotChange, readPotChange } from '../../chain/transactions/movement.ts';
import * as documents from '../../db/proof/documents.ts';
import { unpackDocument } from '../../db/proof/pack-document.ts';
import type { RewardPayout } from '../../db/reward/reward-payouts.ts';
import * as rewardRounds from '../../db/reward/reward-rounds.ts';
import type { RewardRound } from '../../db/reward/reward-rounds.ts';
import * as rewardTransactions from '../../db/reward/reward-transactions.ts';
import * as sealedPlans from '../../db/reward/sealed-plans.ts';
import { readLines } from '../../domain/proof/read-lines.ts';
import { rewardPurpose } from '../../domain/reward/purpose.ts';
import type { RewardPayoutKind } from '../../domain/reward/state.ts';
import { type SealedPayout, type SealedPlan, sealedPlanOf } from '../../domain/reward/sealed-plan.ts';
import { finalizedMovement } from '../money/movement.ts';
import type { RewardDeps } from './deps.ts';
import { partiesOf, type RewardMarket } from './market.ts';

export class SealedPlanMissingError extends Error {
  constructor({ id, number, mint }: RewardRound, root: string) {
    super(
      `round ${number} of ${mint} is sealed with ${root}, and the database lacks that document: give it back with ` +
        `\`rewards restore-plan FILE\`, or end the round unpaid with \`books close reward/${id}\``,
    );
    this.name = 'SealedPlanMissingError';
  }
}

/** The chain paid holders in this round, and no seal says by which plan. */
export class PaidWithoutSealError extends Error {
  constructor({ id, number, mint }: RewardRound) {
    super(
      `round ${number} of ${mint} was paid by a plan that the database has lost, and no seal on the chain names it: ` +
        `look at its transactions, then end the round with \`books close reward/${id}\``,
    );
    this.name = 'PaidWithoutSealError';
  }
}

/** Note of a round that ends because a later one was sealed in a time that the database has lost. */
const OVERTAKEN = 'ended in a time that the database has lost';

/**
 * Continues a round of which the chain knows more than the ledger, as after a restore. Sealed: its plan comes back from
 * the document. Unpaid and followed by a sealed round: it ends, and the pot stays for that one. False if there is no
 * such thing.
 * @throws SealedPlanMissingError, PaidWithoutSealError: the round stays open while the books lack who was paid
 */
export async function continueLost(deps: RewardDeps, market: RewardMarket, round: RewardRound): Promise<boolean> {
  const root = await rewardTransactions.sealedRoot(deps.db, round.id);
  const isPaid = root === null && (await hasPaid(deps, round));
  if (root === null && !isPaid && !(await rewardRounds.oldestWithoutPlan(deps.db, round.mint))) return false;
  // A lost seal or payout may have the number of a collection that is still planned.
  await assertSettled(deps, round);
  if (root !== null) await restorePlan(deps, market, round, root);
  else if (isPaid) throw new PaidWithoutSealError(round);
  else await rewardRounds.end(deps.db, round.id, OVERTAKEN);
  return true;
}

/** True if a booked transaction of this round paid holders although it has no plan. */
async function hasPaid({ db }: RewardDeps, { id }: RewardRound): Promise<boolean> {
  return (await rewardTransactions.ofRound(db, id)).some(({ state, quoteRaw }) => state === 'done' && quoteRaw < 0n);
}

/** @throws while a step of the round before its payouts is planned and not carried out */
export async function assertSettled({ db }: RewardDeps, { id }: RewardRound): Promise<void> {
  const open = (await rewardTransactions.ofRound(db, id)).filter(({ state }) => state === 'planned');
  if (open.length > 0) throw new Error(`${open.length} transactions of reward round ${id} are not settled`);
}

/**
 * Gives a round its plan back from the document that its seal on the chain names. A restored database that lost the
 * plan then pays the same payouts, by the same transactions, and no other.
 * @throws SealedPlanMissingError
 */
export async function restorePlan(deps: RewardDeps, market: RewardMarket, round: RewardRound, root: string) {
  const plan = await readPlan(deps, round, root);
  const paid = await paidAlready(deps, market, plan);
  await sealedPlans.restore(deps.db, { plan, root, paid });
  const { id: roundId, number } = round;
  deps.logger.warn({ roundId, number, root, booked: paid.size }, 'a reward round has its plan back from its document');
}

async function readPlan({ db }: RewardDeps, round: RewardRound, root: string): Promise<SealedPlan> {
  if (!(await documents.byRoot(db, root))) throw new SealedPlanMissingError(round, root);
  const document = await readLines(unpackDocument(documents.parts(db, root)));
  if (document.root !== root) throw new Error(`the stored document ${root} has the root ${document.root}`);
  const plan = sealedPlanOf(document);
  if (plan.id !== round.id || plan.mint !== round.mint)
    throw new Error(`the document ${root}, which round ${round.id} is sealed with, is of round ${plan.id}`);
  return plan;
}

async function paidAlready(deps: RewardDeps, market: RewardMarket, { id: roundId, payouts }: SealedPlan) {
  const paid = new Map<number, string[]>();
  for (const { n, signature } of await rewardTransactions.ofRound(deps.db, roundId)) {
    const own = payouts.filter((payout) => payout.n === n);
    if (signature === null || own.length === 0) continue;
    const landed = await finalizedMovement(deps, { purpose: rewardPurpose(roundId, n), signature });
    paid.set(n, paidBy(market, own, readPotChange(landed, partiesOf(deps, market))));
  }
  return paid;
}

/** Owners of these payouts whom a landed transaction paid: it may have left recipients out. */
export function paidBy(
  { quote }: RewardMarket,
  payouts: readonly (Pick<RewardPayout, 'owner' | 'kind'> | SealedPayout)[],
  { paidAccounts, quoteRaw, paidRaw }: PotChange,
): string[] {
  const isRentPaid = -quoteRaw > paidRaw;
  const isPaid: Readonly<Record<RewardPayoutKind, (owner: string) => boolean>> = {
    holder: (owner) => paidAccounts.includes(tokenAccountOf(quote, new PublicKey(owner)).toBase58()),
    rent: () => isRentPaid,
  };
  const credited = payouts.filter(({ kind, owner }) => isPaid[kind](owner));
  return credited.map(({ owner }) => owner);
}
