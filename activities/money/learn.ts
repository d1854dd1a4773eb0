import { VersionedTransaction } from '@solana/web3.js';
import type { Logger } from 'pino';
import type { Lane } from '../../chain/lanes/lane.ts';
import { agreedValue } from '../../chain/lanes/lane-reading.ts';
import { numberOf } from '../../chain/lanes/lane-secret.ts';
import { type LandedStep, walkLane } from '../../chain/lanes/walk.ts';
import { inParallel } from '../../chain/rpc/in-parallel.ts';
import type { Rpc } from '../../chain/rpc/rpc.ts';
import { type Db, transaction } from '../../db/connect.ts';
import * as laneSteps from '../../db/money/lane-steps.ts';
import * as laneRows from '../../db/money/lanes.ts';
import type { LaneContext } from './lane-context.ts';

export interface LearnDeps {
  readonly db: Db;
  readonly rpc: Rpc;
  readonly logger: Logger;
}

const WALKS_AT_ONCE = 8;

/** The responses are no base to continue from. */
export class LaneUnknownError extends Error {
  constructor(lane: number, problem: string) {
    super(`lane ${lane}: ${problem}`);
    this.name = 'LaneUnknownError';
  }
}

/** @throws LaneUnknownError, LaneGapError */
export async function learnAll(deps: LearnDeps, ground: LaneContext): Promise<void> {
  await learnRows(deps, ground, await laneRows.all(deps.db));
}

/**
 * False if the ledger was current.
 *
 * @throws LaneUnknownError, LaneGapError
 */
export async function catchUp(deps: LearnDeps, ground: LaneContext, index: number): Promise<boolean> {
  return (await learnRows(deps, ground, [await laneRows.one(deps.db, index)])) > 0;
}

async function learnRows(deps: LearnDeps, ground: LaneContext, rows: readonly laneRows.LaneRow[]): Promise<number> {
  const reading = await deps.rpc.readLaneValues(rows.map(({ mint }) => mint));
  const behind = rows.filter((row) => isBehind(row, agreedValue(reading, row.mint)));
  await inParallel(WALKS_AT_ONCE, behind, (row) => {
    const lane = ground.lanes[row.lane]!;
    return learnLane(deps, ground, lane, { from: row.value, to: agreedValue(reading, row.mint)! });
  });
  return behind.length;
}

/** The ledger is never ahead: its values were final. */
function isBehind({ lane, value }: laneRows.LaneRow, agreed: bigint | null): boolean {
  if (agreed === null) throw new LaneUnknownError(lane, 'no quorum of RPC endpoints says the same of it');
  if (agreed === value) return false;
  if (numberOf(agreed) > numberOf(value)) return true;
  throw new LaneUnknownError(
    lane,
    `it stands at ${agreed}, although ${value} was final before: endpoints lag, or lied`,
  );
}

export async function learnLane(
  deps: LearnDeps,
  { secret }: LaneContext,
  lane: Lane,
  span: { readonly from: bigint; readonly to: bigint },
): Promise<void> {
  const { db, rpc, logger } = deps;
  const steps = await walkLane(rpc, secret, lane, span);
  const { slot } = await rpc.agreedHead('finalized');
  const forgotten = await transaction(db, async (tx) => {
    const values = steps.map(({ to }) => to);
    const known = await laneSteps.knownAmong(tx, lane.index, values);
    await laneRows.advance(tx, steps.map(doneOf));
    for (const step of await laneSteps.doneAmong(tx, steps)) {
      const found = steps.find(({ to }) => to === step.toValue);
      if (found) await laneSteps.recordLanded(tx, step, bytesOf(found.landed));
    }
    if (known.size < values.length) await laneRows.noteLearned(tx, lane.index, BigInt(slot));
    return values.length - known.size;
  });
  // Usually being booked already; with many in flight there are always some.
  if (forgotten === 0) logger.debug({ lane: lane.index, steps: steps.length }, 'the chain was ahead of the ledger');
  else logger.warn({ lane: lane.index, steps: forgotten }, 'the chain had movements that the ledger did not know');
}

/** The ledger was restored, and what it may have forgotten can still land. */
export class ForgottenMayLandError extends Error {
  constructor(until: number) {
    super(`the ledger was restored: what it may have forgotten can land until slot ${until}`);
    this.name = 'ForgottenMayLandError';
  }
}

/**
 * Slots after which no earlier signature can land: a blockhash's lifetime plus margin, with every second slot skipped.
 */
const LIFETIME_SLOTS = 2 * (150 + 32);

/**
 * Plans and decisions that could differ from the lost run's must wait.
 *
 * @throws ForgottenMayLandError while transactions that this ledger signed and lost may still land: it found unknown
 *   movements, so there may be more
 */
export async function assertNothingForgotten({ db, rpc }: Pick<LearnDeps, 'db' | 'rpc'>): Promise<void> {
  const learned = await laneRows.lastLearnedSlot(db);
  if (learned === null) return;
  const { slot } = await rpc.agreedHead('finalized');
  const until = Number(learned) + LIFETIME_SLOTS;
  if (slot <= until) throw new ForgottenMayLandError(until);
}

function doneOf({ lane, number, from, to, digest, landed }: LandedStep): laneRows.DoneStep {
  return { lane, number, from, to, digest, signature: landed.signature, slot: BigInt(landed.slot) };
}

/** Returns the bytes of a transaction that the ledger did not sign. */
export function bytesOf({ signature, wire }: LandedStep['landed']): laneSteps.LandedBytes {
  return { signature, wire, blockhash: VersionedTransaction.deserialize(wire).message.recentBlockhash };
}
