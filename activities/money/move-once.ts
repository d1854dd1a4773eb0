import type { PublicKey } from '@solana/web3.js';
import { laneOf } from '../../chain/lanes/lane.ts';
import { stepValue } from '../../chain/lanes/lane-secret.ts';
import { createStamp, type Stamp } from '../../chain/lanes/stamp.ts';
import type { SignedTransaction } from '../../chain/transactions/compile.ts';
import type { Db } from '../../db/connect.ts';
import * as laneSteps from '../../db/money/lane-steps.ts';
import type { Purpose } from '../../domain/purpose.ts';
import { whileAlive } from './heartbeat-while.ts';
import type { MoneyDeps } from './deps.ts';
import type { Outcome } from './in-flight.ts';
import { assertCanPay } from './funds.ts';
import { bytesOf } from './learn.ts';

/** A movement's transaction is finalized with an error: it paid its fee and moved nothing. A repeat builds a new one. */
export class MovementFailedError extends Error {
  constructor(purpose: Purpose, signature: string, error: string) {
    super(`${purpose} failed on the chain as ${signature}: ${error}`);
    this.name = 'MovementFailedError';
  }
}

/** Several transactions of a movement expired one after the other: something keeps them from landing. */
export class MovementNotLandingError extends Error {
  constructor(purpose: Purpose, tries: number) {
    super(`${purpose} did not land: ${tries} transactions expired`);
    this.name = 'MovementNotLandingError';
  }
}

/** One movement of money by a transaction of its own. */
export interface Movement {
  readonly purpose: Purpose;
  /** Pays the network fee. */
  readonly payer: PublicKey;
  /** Lamports that the payer needs beside the network fee, at most. Default none. */
  readonly lamports?: bigint;
  /**
   * Throws where the money is not to be moved any more, and locks what that depends on. It is asked in the database
   * transaction that persists the signed one: what a run decided while it was forgotten must not be carried out.
   */
  assertDue?(tx: Db): Promise<void>;
  /** Builds and signs the transaction, stamped; null where nothing is to be moved. */
  build(stamp: Stamp): Promise<SignedTransaction | null>;
  /** One of many that begin together: it takes its turn among them. */
  readonly isBulk?: true;
  /** Hands the signed bytes to the chain, as often as it takes; default: to the RPC endpoints. */
  send?(wire: Uint8Array): Promise<unknown>;
}

/** A movement that is final. */
export interface Moved {
  readonly purpose: Purpose;
  readonly signature: string;
  readonly slot: bigint;
}

/** Transactions of one movement that may expire in one go. */
const MOST_EXPIRED = 3;

/**
 * Moves money exactly once: sign, persist, send, follow until final. Each transaction makes a step of the lane that follows from
 * the purpose, on the value that the ledger knows: at most one of all that were ever signed for the purpose can succeed, whatever
 * an earlier run, another copy of the database or an RPC endpoint says. Answers what is final, null where nothing was to be moved.
 * Throws a MovementFailedError when the transaction failed for good, and a LanesMissingError with other wallets than those of the
 * ledger.
 */
export async function moveOnce(deps: MoneyDeps, movement: Movement): Promise<Moved | null> {
  const lane = laneOf(movement.purpose);
  // Also where it is done already: by the balances of another wallet it would be booked as if nothing had moved.
  await deps.lanes.ground();
  for (let expired = 0; ;) {
    const preference = deps.rpc.preference();
    const outcome = await deps.lanes.turns.take(lane, () => tryOnce(deps, movement, lane));
    if (outcome === null) return null;
    // A swap that would fail is dropped by the block engine, and expires.
    if (outcome.kind === 'failed' || outcome.kind === 'expired') deps.rpc.readElsewhere(preference);
    const { purpose } = movement;
    if (outcome.kind === 'done') return { purpose, signature: outcome.signature, slot: outcome.slot };
    if (outcome.kind === 'failed') throw new MovementFailedError(purpose, outcome.signature, outcome.error);
    if (outcome.kind === 'expired' && ++expired >= MOST_EXPIRED) throw new MovementNotLandingError(purpose, expired);
  }
}

/** Follows what is known of a movement, or signs it. Null where nothing is to be moved. */
async function tryOnce(deps: MoneyDeps, movement: Movement, lane: number): Promise<Outcome | null> {
  const begun = await (movement.isBulk
    ? whileAlive(
        deps,
        deps.lanes.places.take(() => begin(deps, movement, lane)),
      )
    : begin(deps, movement, lane));
  return begun === null || 'kind' in begun ? begun : follow(deps, movement, begun);
}

/** What is to be followed, or what became of the movement where that is known. */
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

/** The step of a movement that the ledger had lost and found on the chain without knowing what it was. */
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
  const signed = await buildOn(deps, movement, stamp, lane);
  if (signed === null || signed === 'overtaken') return signed;
  const version = {
    ...stamp.stepOn(signed.wire),
    purpose,
    lane,
    blockhash,
    signature: signed.signature,
    wire: signed.wire,
    blockhashSlot: BigInt(slot),
    lastValidBlockHeight: BigInt(lastValidBlockHeight),
  };
  const isWritten = await laneSteps.persist(deps.db, version, async (tx) => movement.assertDue?.(tx));
  return isWritten ? version : 'overtaken';
}

/**
 * What is tried on a lane that has moved on fails for that alone, or finds nothing left to do: the chain had movements that the
 * ledger lost.
 */
async function buildOn(
  deps: MoneyDeps,
  movement: Movement,
  stamp: Stamp,
  lane: number,
): Promise<SignedTransaction | 'overtaken' | null> {
  let built: SignedTransaction | null;
  try {
    built = await buildBorneOut(deps, movement, stamp);
  } catch (error) {
    deps.logger.info({ err: error, purpose: movement.purpose, lane }, 'not built; looking whether its lane moved on');
    if (await deps.lanes.catchUp(lane)) return 'overtaken';
    throw error;
  }
  return built === null && (await deps.lanes.catchUp(lane)) ? 'overtaken' : built;
}

/** That nothing can be built, or is to be moved, is not one endpoint's word: it is built once more of another one's. */
async function buildBorneOut(deps: MoneyDeps, movement: Movement, stamp: Stamp): Promise<SignedTransaction | null> {
  const { rpc, logger } = deps;
  const preference = rpc.preference();
  try {
    const built = await movement.build(stamp);
    if (built !== null || rpc.quorum === 1) return built;
  } catch (error) {
    if (rpc.quorum === 1) throw error;
    logger.info({ err: error, purpose: movement.purpose }, 'not built; building it of what another endpoint says');
  }
  rpc.readElsewhere(preference);
  return movement.build(stamp);
}

function follow(deps: MoneyDeps, movement: Movement, version: laneSteps.LiveVersion): Promise<Outcome> {
  const { wire, lastValidBlockHeight } = version;
  const send = () => movement.send?.(wire) ?? deps.rpc.sendWire(wire);
  const followed = { ...version, lastValidBlockHeight: Number(lastValidBlockHeight), send };
  return whileAlive(deps, deps.lanes.follow(followed));
}
