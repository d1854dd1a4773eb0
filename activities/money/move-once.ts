import type { PublicKey } from '@solana/web3.js';
import { laneOf } from '../../chain/lanes/lane.ts';
import { stepValue } from '../../chain/lanes/lane-secret.ts';
import { supplyOf } from '../../chain/lanes/lane-reading.ts';
import { createStamp, type Stamp } from '../../chain/lanes/stamp.ts';
import type { SignedTransaction } from '../../chain/transactions/compile.ts';
import type { Db } from '../../db/connect.ts';
import type { DueLock } from '../../db/money/due-lock.ts';
import * as laneRows from '../../db/money/lanes.ts';
import * as laneSteps from '../../db/money/lane-steps.ts';
import { OURSELVES } from '../../domain/places.ts';
import type { Purpose } from '../../domain/purpose.ts';
import { whileAlive } from './heartbeat-while.ts';
import type { MoneyDeps } from './deps.ts';
import type { Outcome } from './in-flight.ts';
import { assertCanPay } from './funds.ts';
import { bytesOf } from './learn.ts';

/** The movement is final with an error: it moved nothing. A repeat builds a new one. */
export class MovementFailedError extends Error {
  readonly signature: string;
  constructor(purpose: Purpose, signature: string, error: string) {
    super(`${purpose} failed on the chain as ${signature}: ${error}`);
    this.signature = signature;
    this.name = 'MovementFailedError';
  }
}

export class MovementNotLandingError extends Error {
  constructor(purpose: Purpose, tries: number) {
    super(`${purpose} did not land: ${tries} transactions expired`);
    this.name = 'MovementNotLandingError';
  }
}

export interface Movement {
  readonly purpose: Purpose;
  /** Pays the network fee. */
  readonly payer: PublicKey;
  /** Beside the network fee. Default: none. */
  readonly lamports?: bigint;
  /**
   * Locks the rows that decide whether the money must move; throws if it must not. Runs in the database transaction
   * that persists the signed bytes; a decision that ends the purpose takes the same lock, so one of the two waits.
   */
  assertDue(tx: Db): Promise<DueLock>;
  /** Null if there is nothing to move. */
  build(stamp: Stamp): Promise<SignedTransaction | null>;
  /** One of many that begin together: waits for a slot. */
  readonly isBulk?: true;
  /** As often as needed. Default: to the RPC endpoints. */
  send?(wire: Uint8Array): Promise<unknown>;
}

export interface Moved {
  readonly purpose: Purpose;
  readonly signature: string;
  readonly slot: bigint;
}

/** Expired attempts before the movement fails. */
const MOST_EXPIRED = 3;

/**
 * Moves money exactly once: sign, persist, send, follow until final. The purpose determines a lane, and each
 * transaction steps it from the value that the ledger knows. So at most one of all transactions ever signed for the
 * purpose succeeds, whatever an earlier run, another copy of the database or an endpoint says. Null if there was
 * nothing to move. Throws a MovementFailedError, and a LanesMissingError if the wallets are not the ledger's.
 */
export async function moveOnce(deps: MoneyDeps, movement: Movement): Promise<Moved | null> {
  const lane = laneOf(movement.purpose);
  // Also if the movement is done: read from another wallet's balances, it would be booked as if nothing had moved.
  await deps.lanes.ground();
  for (let expired = 0; ;) {
    const preference = deps.rpc.preference();
    const outcome = await deps.lanes.turns.take(lane, () => tryOnce(deps, movement, lane));
    if (outcome === null) return null;
    // The block engine drops a swap that would fail, so that it expires.
    if (outcome.kind === 'failed' || outcome.kind === 'expired') deps.rpc.preferOtherEndpoint(preference);
    const { purpose } = movement;
    if (outcome.kind === 'done') return { purpose, signature: outcome.signature, slot: outcome.slot };
    if (outcome.kind === 'failed') throw new MovementFailedError(purpose, outcome.signature, outcome.error);
    if (outcome.kind === 'expired' && ++expired >= MOST_EXPIRED) throw new MovementNotLandingError(purpose, expired);
  }
}

/** Null if there is nothing to move. */
async function tryOnce(deps: MoneyDeps, movement: Movement, lane: number): Promise<Outcome | null> {
  const begun = await (movement.isBulk
    ? whileAlive(
        deps,
        deps.lanes.places.take(OURSELVES, () => begin(deps, movement, lane)),
      )
    : begin(deps, movement, lane));
  return begun === null || 'kind' in begun ? begun : follow(deps, movement, begun);
}

async function begin(
  deps: MoneyDeps,
  movement: Movement,
  lane: number,
): Promise<Outcome | laneSteps.LiveVersion | null> {
  const standing = await laneSteps.standingOf(deps.db, lane, movement.purpose);
  const done = standing.done ?? (await nameOwn(deps, movement.purpose, standing));
  if (done) return { kind: 'done', signature: done.signature, slot: done.slot };
  const version = standing.live ?? (await sign(deps, movement, standing.lane));
  return version === 'overtaken' ? { kind: 'overtaken' } : version;
}

async function nameOwn(deps: MoneyDeps, purpose: Purpose, { unnamed }: laneSteps.Standing) {
  if (unnamed.length === 0) return null;
  const { secret } = await deps.lanes.ground();
  const own = unnamed.find(({ number, fromValue: from, toValue, digest }) => {
    return stepValue(secret, number, { from, purpose, digest }) === toValue;
  });
  if (!own) return null;
  const landed = await deps.rpc.getTransaction(own.signature, 'finalized');
  if (!landed) throw new Error(`no RPC endpoint has ${own.signature}, which is final`);
  await laneSteps.name(deps.db, own, purpose, bytesOf(landed));
  deps.logger.warn({ purpose, signature: own.signature }, 'found on the chain what the ledger did not know');
  return own;
}

async function sign(
  deps: MoneyDeps,
  movement: Movement,
  { lane, value: from }: laneSteps.Standing['lane'],
): Promise<laneSteps.LiveVersion | 'overtaken' | null> {
  const { purpose, payer, lamports } = movement;
  await assertCanPay(deps.rpc, payer, lamports ?? 0n, await deps.lanes.balanceOf(payer));
  const { lanes, secret } = await deps.lanes.ground();
  const { blockhash, lastValidBlockHeight, slot } = await deps.lanes.blockhash();
  const signer = deps.lanes.signerOf(lane);
  const stamp = createStamp({ lane: lanes[lane]!, signer, secret, purpose, from, blockhash });
  const signed = await buildOn(deps, movement, stamp, { lane, value: from });
  if (signed === null || signed === 'overtaken') return signed;
  const version = {
    ...stamp.stepOn(signed.wire, signed.loaded),
    purpose,
    lane,
    blockhash,
    signature: signed.signature,
    wire: signed.wire,
    blockhashSlot: BigInt(slot),
    lastValidBlockHeight: BigInt(lastValidBlockHeight),
  };
  const isWritten = await laneSteps.persist(deps.db, version, (tx) => movement.assertDue(tx));
  return isWritten ? version : 'overtaken';
}

/**
 * Builds the movement on the lane's value. If building fails or finds nothing to do, returns `overtaken` when the lane
 * has moved on: the chain has movements that the ledger lost, and one may be this movement.
 */
async function buildOn(
  deps: MoneyDeps,
  movement: Movement,
  stamp: Stamp,
  { lane, value }: Pick<laneSteps.Standing['lane'], 'lane' | 'value'>,
): Promise<SignedTransaction | 'overtaken' | null> {
  let built: SignedTransaction | null;
  try {
    built = await buildConfirmed(deps, movement, stamp);
  } catch (error) {
    deps.logger.info({ err: error, purpose: movement.purpose, lane }, 'not built; looking whether its lane moved on');
    if (await hasMovedOn(deps, lane, value)) return 'overtaken';
    await assertUnmoved(deps, lane, value);
    throw error;
  }
  if (built !== null) return built;
  if (await hasMovedOn(deps, lane, value)) return 'overtaken';
  await assertUnmoved(deps, lane, value);
  return null;
}

/** Asks the chain, then the ledger: another worker may have learned the steps while this one was building. */
async function hasMovedOn({ db, lanes }: MoneyDeps, lane: number, from: bigint): Promise<boolean> {
  return (await lanes.catchUp(lane)) || (await laneRows.one(db, lane)).value !== from;
}

/**
 * Builders read at `confirmed`, the ledger knows final steps. A movement between the two, which a restored ledger lost,
 * leaves nothing to move.
 *
 * @throws where no quorum shows the lane at this value, at `confirmed`: the caller asks again once it is final
 */
async function assertUnmoved({ rpc, lanes }: MoneyDeps, lane: number, value: bigint): Promise<void> {
  const { lanes: all } = await lanes.ground();
  const mint = all[lane]!.mint.toBase58();
  const said = await rpc.accountsByEndpoint([mint], 'confirmed');
  const shown = said.agreed(mint, (account) => (account === null ? null : supplyOf(account.data)));
  if (shown === value) return;
  const found = shown === undefined ? 'no quorum says where' : `at ${shown}`;
  throw new Error(`lane ${lane} is at ${value} in the books, and ${found} on the chain, not final yet`);
}

/** If one endpoint says there is nothing to build, or the build fails, rebuilds from another before believing it. */
async function buildConfirmed(deps: MoneyDeps, movement: Movement, stamp: Stamp): Promise<SignedTransaction | null> {
  const { rpc, logger } = deps;
  const preference = rpc.preference();
  try {
    const built = await movement.build(stamp);
    if (built !== null || rpc.quorum === 1) return built;
  } catch (error) {
    if (rpc.quorum === 1) throw error;
    logger.info({ err: error, purpose: movement.purpose }, 'not built; building it of what another endpoint says');
  }
  rpc.preferOtherEndpoint(preference);
  return movement.build(stamp);
}

function follow(deps: MoneyDeps, movement: Movement, version: laneSteps.LiveVersion): Promise<Outcome> {
  const { wire, lastValidBlockHeight } = version;
  const send = () => movement.send?.(wire) ?? deps.rpc.sendWire(wire);
  const followed = { ...version, lastValidBlockHeight: Number(lastValidBlockHeight), send };
  return whileAlive(deps, deps.lanes.follow(followed));
}
