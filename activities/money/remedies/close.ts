import { laneOf } from '../../../chain/lanes/lane.ts';
import * as airdrops from '../../../db/airdrop/airdrops.ts';
import * as buybackRounds from '../../../db/buyback/buyback-rounds.ts';
import { type DueLock, proveUnsigned, PurposeSignedError, type Unsigned } from '../../../db/money/due-lock.ts';
import * as feeSweeps from '../../../db/fee-sweep/fee-sweeps.ts';
import * as restockRounds from '../../../db/restock/restock-rounds.ts';
import * as rewardRounds from '../../../db/reward/reward-rounds.ts';
import * as rewardTransactions from '../../../db/reward/reward-transactions.ts';
import * as rewardPayouts from '../../../db/reward/reward-payouts.ts';
import * as unknownWork from '../../../db/money/unknown-work.ts';
import * as laneSteps from '../../../db/money/lane-steps.ts';
import type { ClosingKind } from '../../../domain/money/closing.ts';
import type { Purpose } from '../../../domain/purpose.ts';
import { rewardPurposes } from '../../../domain/reward/purpose.ts';
import type { ReconcileDeps } from '../reconcile/deps.ts';
import { purposeAmong } from '../strays.ts';
import { numberIn, partsOf, RemedyRefusedError } from './refused.ts';

/**
 * Finished movements stay, the others never happen. Each closing locks its movements before it checks whether one is
 * signed.
 */
export const CLOSINGS = {
  reward: closeReward,
  'fee-sweep': closeFeeSweep,
  buyback: closeBuyback,
  restock: closeRestock,
  airdrop: closeAirdrop,
  claim: closeUnknown,
  launch: closeUnknown,
} as const satisfies Record<ClosingKind, unknown>;

/**
 * @throws RemedyRefusedError if a signed movement may take effect, or is final and unbooked: that money would have no
 * reason
 */
async function unsigned<Row>(
  deps: ReconcileDeps,
  lock: DueLock<Row>,
  purposes: Iterable<Purpose> = lock.purposes,
): Promise<Unsigned<Row>> {
  // Final steps that a restored ledger learned from the chain name no purpose yet.
  const steps = await laneSteps.unnamed(lock.tx);
  const byLane = steps.length > 0 ? Map.groupBy(purposes, laneOf) : new Map<number, Purpose[]>();
  for (const step of steps) {
    const own = await purposeAmong(deps, { step }, byLane.get(step.lane) ?? []);
    if (own) throw new RemedyRefusedError(`${own} is final as ${step.signature}, and has yet to be booked`);
  }
  try {
    return await proveUnsigned(lock);
  } catch (error) {
    if (!(error instanceof PurposeSignedError)) throw error;
    throw new RemedyRefusedError(error.message);
  }
}

/** The rest of the pot goes to the next round. */
async function closeReward(deps: ReconcileDeps, subject: string): Promise<string> {
  const { db } = deps;
  const [roundId = ''] = partsOf(subject, 1);
  const known = await rewardRounds.byId(db, roundId);
  // Under its lock nothing more is planned.
  const round = known && (await rewardRounds.lock(db, roundId));
  const lock = await rewardTransactions.lockAllDue(db, roundId);
  if (!round || !lock || round.state === 'done') throw new RemedyRefusedError(`${subject} is no open round`);
  const { ns } = lock.row;
  // A lost plan may have transactions that this one lacks.
  await rewardTransactions.abandon(await unsigned(deps, lock, rewardPurposes(roundId)));
  for (const n of ns) await rewardPayouts.mark(db, { roundId, n }, [], 'closedByOperator');
  await rewardRounds.end(db, roundId, 'closed by an operator');
  return `round ${round.number} of ${round.mint} is closed; ${ns.length} transactions of it will not be`;
}

/** Closes a fee sweep. Harvested, unburned tokens stay where they are. */
async function closeFeeSweep(deps: ReconcileDeps, subject: string): Promise<string> {
  const { db } = deps;
  const [mint = '', number] = partsOf(subject, 2);
  const key = { mint, number: numberIn(number) };
  const planned = await feeSweeps.lockPlanned(db, key);
  if (planned) {
    await feeSweeps.cancel(await unsigned(deps, planned));
    return `sweep ${key.number} of ${mint} is withdrawn`;
  }
  const harvested = await feeSweeps.lockHarvested(db, key);
  if (!harvested) throw new RemedyRefusedError(`${subject} is no open sweep`);
  await feeSweeps.endUnburned(await unsigned(deps, harvested));
  return `sweep ${key.number} of ${mint} is closed; what it harvested of the token is not burned`;
}

/** Closes a purchase. Bought, unburned tokens stay with the treasury. */
async function closeBuyback(deps: ReconcileDeps, subject: string): Promise<string> {
  const { db } = deps;
  const [id = ''] = partsOf(subject, 1);
  const planned = await buybackRounds.lockPlanned(db, id);
  if (planned) {
    const { number, mint } = planned.row;
    await buybackRounds.cancel(await unsigned(deps, planned));
    return `purchase ${number} of ${mint} is withdrawn`;
  }
  const bought = await buybackRounds.lockBought(db, id);
  if (!bought) throw new RemedyRefusedError(`${subject} is no open purchase`);
  const { number, mint, boughtRaw } = bought.row;
  await buybackRounds.finishUnburned(await unsigned(deps, bought));
  return `purchase ${number} of ${mint} is closed; ${boughtRaw} raw tokens are not burned`;
}

async function closeRestock(deps: ReconcileDeps, subject: string): Promise<string> {
  const { db } = deps;
  const [id = ''] = partsOf(subject, 1);
  const lock = await restockRounds.lockDue(db, id);
  if (!lock) throw new RemedyRefusedError(`${subject} is no open restock`);
  await restockRounds.giveUp(await unsigned(deps, lock), { state: 'skipped', reason: 'closed by an operator' });
  return `restock ${id} is closed`;
}

/** Closes an airdrop. Emptying the launch wallet burns the rest. */
async function closeAirdrop(deps: ReconcileDeps, subject: string): Promise<string> {
  const { db } = deps;
  const [quoteId = ''] = partsOf(subject, 1);
  const lock = await airdrops.lockAllDue(db, quoteId);
  if (!lock) throw new RemedyRefusedError(`${subject} is no open airdrop`);
  await airdrops.giveUp(await unsigned(deps, lock));
  const wallets = lock.row.open.flatMap(({ shares }) => shares).length;
  return `the airdrop of ${quoteId} is closed; ${wallets} wallets get nothing`;
}

/**
 * Ends the finding of a claim, or of a launch without terms, that a restored database lacks for ever. A claim's intent
 * id is not on the chain. The launch's payment keeps its answer.
 */
async function closeUnknown({ db }: ReconcileDeps, subject: string): Promise<string> {
  if (await unknownWork.close(db, subject)) return `${subject} stays without a row`;
  throw new RemedyRefusedError(`${subject} is not among what is unknown`);
}
