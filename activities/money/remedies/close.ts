import { sql } from 'kysely';
import type { Db } from '../../../db/connect.ts';
import * as airdrops from '../../../db/airdrop/airdrops.ts';
import * as buybackRounds from '../../../db/buyback/buyback-rounds.ts';
import * as feeSweeps from '../../../db/fee-sweep/fee-sweeps.ts';
import * as restockRounds from '../../../db/restock/restock-rounds.ts';
import * as rewardRounds from '../../../db/reward/reward-rounds.ts';
import * as rewardTransactions from '../../../db/reward/reward-transactions.ts';
import * as rewardPayouts from '../../../db/reward/reward-payouts.ts';
import type { ReconcileDeps } from '../reconcile/deps.ts';
import { numberIn, partsOf, RemedyRefusedError } from './refused.ts';

/** Ends work that can never go on. What it has moved stays as it is; what it has not moved it never moves. */
export const CLOSINGS = {
  reward: closeReward,
  'fee-sweep': closeFeeSweep,
  buyback: closeBuyback,
  restock: closeRestock,
  airdrop: closeAirdrop,
} as const;

/** Nothing of it may be under way, or final without being booked: that would be money without a reason. */
async function assertNothingUnderWay(db: Db, prefix: string): Promise<void> {
  const { rows } = await sql<{ purpose: string; state: string }>`
    select purpose, status as state from chain_transactions
    where purpose >= ${prefix} and purpose < ${`${prefix}~`} and status in ('signed', 'broadcasting', 'landed')
    limit 1`.execute(db);
  const [open] = rows;
  if (open) throw new RemedyRefusedError(`${open.purpose} is ${open.state}: it is closed once that has ended`);
}

/** A reward round: who is not paid by it is not paid any more; what is left in the pot is the next round's. */
async function closeReward({ db }: ReconcileDeps, subject: string): Promise<string> {
  const [roundId = ''] = partsOf(subject, 1);
  const round = await rewardRounds.byId(db, roundId);
  if (!round || round.state === 'done') throw new RemedyRefusedError(`${subject} is no open round`);
  await rewardRounds.lock(db, roundId);
  await assertNothingUnderWay(db, `reward/${roundId}/`);
  const planned = (await rewardTransactions.ofRound(db, roundId)).filter(({ state }) => state === 'planned');
  for (const { n } of planned) {
    await assertNotFinal(db, `reward/${roundId}/${n}`);
    await rewardTransactions.abandon(db, { roundId, n });
    await rewardPayouts.mark(db, { roundId, n }, [], 'closedByOperator');
  }
  await rewardRounds.end(db, roundId, 'closed by an operator');
  return `round ${round.number} of ${round.mint} is closed; ${planned.length} transactions of it will not be`;
}

async function assertNotFinal(db: Db, purpose: string): Promise<void> {
  const { rows } = await sql<{ signature: string }>`
    select signature from lane_steps where purpose = ${purpose} and state = 'done'`.execute(db);
  const [done] = rows;
  if (done) throw new RemedyRefusedError(`${purpose} is final as ${done.signature}, and has yet to be booked`);
}

/** A sweep of fees: what it harvested and did not burn stays where it is. */
async function closeFeeSweep({ db }: ReconcileDeps, subject: string): Promise<string> {
  const [mint = '', number] = partsOf(subject, 2);
  const key = { mint, number: numberIn(number) };
  const sweep = await feeSweeps.byKey(db, key);
  if (!sweep || sweep.state === 'done') throw new RemedyRefusedError(`${subject} is no open sweep`);
  const purpose = `fee-sweep/${mint}/${key.number}`;
  await assertNothingUnderWay(db, purpose);
  if (sweep.state === 'planned') {
    await assertNotFinal(db, purpose);
    await feeSweeps.cancel(db, key);
    return `sweep ${key.number} of ${mint} is taken back`;
  }
  await assertNotFinal(db, `${purpose}/burn`);
  await feeSweeps.advance(db, key, 'harvested', 'done');
  return `sweep ${key.number} of ${mint} is closed; what it harvested of the token is not burned`;
}

/** A purchase: what it bought and did not burn stays with the treasury. */
async function closeBuyback({ db }: ReconcileDeps, subject: string): Promise<string> {
  const [id = ''] = partsOf(subject, 1);
  const round = await buybackRounds.byId(db, id);
  if (!round || round.state === 'done') throw new RemedyRefusedError(`${subject} is no open purchase`);
  await assertNothingUnderWay(db, `buyback/${id}/`);
  if (round.state === 'planned') {
    await assertNotFinal(db, `buyback/${id}/swap`);
    await buybackRounds.cancel(db, id);
    return `purchase ${round.number} of ${round.mint} is taken back`;
  }
  await assertNotFinal(db, `buyback/${id}/burn/1`);
  await buybackRounds.finish(db, id);
  return `purchase ${round.number} of ${round.mint} is closed; ${round.boughtRaw} raw tokens are not burned`;
}

async function closeRestock({ db }: ReconcileDeps, subject: string): Promise<string> {
  const [id = ''] = partsOf(subject, 1);
  const round = await restockRounds.byId(db, id);
  if (round?.state !== 'open') throw new RemedyRefusedError(`${subject} is no open restock`);
  await assertNothingUnderWay(db, `restock/${id}`);
  await assertNotFinal(db, `restock/${id}`);
  await restockRounds.settle(db, id, { state: 'skipped', reason: 'closed by an operator' });
  return `restock ${id} is closed`;
}

/** An airdrop: who was not reached gets nothing any more; what is left is burned when the launch wallet is emptied. */
async function closeAirdrop({ db }: ReconcileDeps, subject: string): Promise<string> {
  const [quoteId = ''] = partsOf(subject, 1);
  const airdrop = await airdrops.byQuoteId(db, quoteId);
  if (!airdrop || airdrop.deliveredAt !== null) throw new RemedyRefusedError(`${subject} is no open airdrop`);
  await assertNothingUnderWay(db, `airdrop/${quoteId}/`);
  const open = await airdrops.openBatches(db, quoteId);
  for (const { batch } of open) await assertNotFinal(db, `airdrop/${quoteId}/${batch}`);
  await airdrops.giveUp(db, quoteId);
  return `the airdrop of ${quoteId} is closed; ${open.flatMap(({ shares }) => shares).length} wallets get nothing`;
}
