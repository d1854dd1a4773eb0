import { VersionedTransaction } from '@solana/web3.js';
import { agreedValue } from '../../../chain/lanes/lane-reading.ts';
import { numberOf } from '../../../chain/lanes/lane-secret.ts';
import * as chainTransactions from '../../../db/money/chain-transactions.ts';
import { correcting, reviveLanded } from '../../../db/money/corrections.ts';
import * as laneSteps from '../../../db/money/lane-steps.ts';
import * as laneRows from '../../../db/money/lanes.ts';
import type { Purpose } from '../../../domain/purpose.ts';
import { learnLane } from '../learn.ts';
import { explain, purposeAmong, readUnexplained } from '../unrecorded.ts';
import type { ReconcileDeps } from '../reconcile/deps.ts';
import { idIn, numberIn, partsOf, RemedyRefusedError } from './refused.ts';

export const ADOPTIONS = {
  lane: adoptLane,
  step: adoptStep,
  transaction: adoptTransaction,
} as const;

async function adoptLane(deps: ReconcileDeps, subject: string): Promise<string> {
  const { lane, to, row } = await standingOf(deps, subject);
  if (numberOf(to) <= row.number) throw new RemedyRefusedError(`lane ${row.lane} is not ahead of the ledger`);
  await learnLane(deps, await deps.lanes.ground(), lane, { from: row.value, to });
  return `lane ${row.lane} was walked from step ${row.number} to step ${numberOf(to)}`;
}

/** Locks the lane first: a step booked meanwhile must not look missing. */
export async function standingOf(deps: ReconcileDeps, subject: string) {
  const index = idIn(subject);
  const { lanes } = await deps.lanes.ground();
  const lane = lanes[numberIn(index)];
  if (!lane) throw new RemedyRefusedError(`there is no lane ${index}`);
  const row = await laneRows.lock(deps.db, lane.index);
  const reading = await deps.rpc.readLanes([lane.mint.toBase58()]);
  const to = agreedValue(reading, lane.mint.toBase58());
  if (to === null) throw new RemedyRefusedError(`no quorum of RPC endpoints says the same of lane ${index}`);
  return { lane, to, row };
}

async function adoptStep(deps: ReconcileDeps, subject: string, purpose?: string): Promise<string> {
  if (purpose === undefined) throw new RemedyRefusedError('say with --purpose what the movement was made for');
  const [lane, number] = partsOf(subject, 2).map(numberIn);
  const step = (await laneSteps.unnamed(deps.db)).find((one) => one.lane === lane && one.number === number);
  if (!step) throw new RemedyRefusedError(`${subject} is no final step without a purpose`);
  const movement = await readUnexplained(deps, step);
  const own = await purposeAmong(deps, movement, [purpose as Purpose]);
  if (own === undefined) throw new RemedyRefusedError(`${step.signature} was not made for ${purpose}`);
  await explain(deps, movement, own);
  return `${step.signature} is ${own}`;
}

async function adoptTransaction(deps: ReconcileDeps, subject: string): Promise<string> {
  const signature = idIn(subject);
  const row = await chainTransactions.bySignature(deps.db, signature);
  if (row?.status !== 'dead') throw new RemedyRefusedError(`${subject} is ${row?.status ?? 'unknown'}, not dead`);
  if (row.lane !== null) throw new RemedyRefusedError(`${subject} steps lane ${row.lane}: adopt lane/${row.lane}`);
  const landed = await deps.rpc.agreedTransaction(signature);
  if (landed?.err !== null)
    throw new RemedyRefusedError(`no quorum of RPC endpoints has ${signature} without an error`);
  if (!sameMessage(landed.wire, row.wire)) throw new RemedyRefusedError(`${signature} has other bytes on the chain`);
  await correcting(deps.db, (tx) => reviveLanded(tx, row, BigInt(landed.slot)));
  return `${row.purpose} is final as ${signature} at slot ${landed.slot}`;
}

function sameMessage(a: Uint8Array, b: Uint8Array): boolean {
  const [one, other] = [a, b].map((wire) => VersionedTransaction.deserialize(wire).message.serialize());
  return Buffer.compare(one!, other!) === 0;
}
