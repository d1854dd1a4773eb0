import { agreedValue } from '../../../chain/lanes/lane-reading.ts';
import { hasExpired } from '../../../chain/lanes/has-expired.ts';
import { numberOf } from '../../../chain/lanes/lane-secret.ts';
import type { Db } from '../../../db/connect.ts';
import * as chainTransactions from '../../../db/money/chain-transactions.ts';
import { markDead } from '../../../db/money/chain-transaction-marks.ts';
import * as laneSteps from '../../../db/money/lane-steps.ts';
import * as laneRows from '../../../db/money/lanes.ts';
import type { ChainTransaction } from '../../../db/schema/money.ts';
import type { ReconcileDeps } from '../reconcile/deps.ts';
import { idIn, RemedyRefusedError } from './refused.ts';

/** Remedies that bury a transaction once it is proven that it can no longer land. */
export const BURIALS = { transaction: buryTransaction } as const;

async function buryTransaction(deps: ReconcileDeps, subject: string): Promise<string> {
  const signature = idIn(subject);
  const row = await openOrRefused(deps.db, signature);
  await (row.lane === null ? buryOutsideLanes(deps, row) : buryInLane(deps, signature, row.lane));
  return `${row.purpose} can not land any more as ${signature}`;
}

async function openOrRefused(db: Db, signature: string): Promise<ChainTransaction> {
  const row = await chainTransactions.bySignature(db, signature);
  if (!row || !chainTransactions.isLive(row) || row.status === 'finalized')
    throw new RemedyRefusedError(`transaction/${signature} is ${row?.status ?? 'unknown'}; there is nothing to bury`);
  return row;
}

/**
 * A quorum must show that the lane has not moved and the blockhash expired. Locks the lane before it reads the
 * transaction.
 */
async function buryInLane({ db, rpc }: ReconcileDeps, signature: string, index: number): Promise<void> {
  const lane = await laneRows.lock(db, index);
  const row = await openOrRefused(db, signature);
  const reading = await rpc.readLanes([lane.mint]);
  const value = agreedValue(reading, lane.mint);
  if (value === null) throw new RemedyRefusedError(`no quorum of RPC endpoints says the same of lane ${index}`);
  if (numberOf(value) > lane.number) throw new RemedyRefusedError(`lane ${index} has moved on: adopt lane/${index}`);
  const end = { from: value, lastValidBlockHeight: Number(row.lastValidBlockHeight) };
  if (!hasExpired(reading, lane.mint, end)) throw new RemedyRefusedError(`${row.signature} may still land`);
  await laneSteps.end(db, { dead: [row.signature], failed: [] });
}

async function buryOutsideLanes(deps: ReconcileDeps, row: ChainTransaction): Promise<void> {
  await deps.outsideLanes.assertLeft(deps, row);
  await deps.outsideLanes.prove(deps, row);
  const { outcome, status } = await markDead(deps.db, row.signature);
  if (outcome === 'refused') throw new RemedyRefusedError(`${row.signature} is ${status} by now`);
}
