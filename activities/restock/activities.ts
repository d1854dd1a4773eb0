import { type Db, transaction } from '../../db/connect.ts';
import { type DueLock, proveUnsigned } from '../../db/money/due-lock.ts';
import * as chainTransactions from '../../db/money/chain-transactions.ts';
import * as restockRounds from '../../db/restock/restock-rounds.ts';
import type { RestockEnd, RestockFailure, RestockRound } from '../../db/restock/restock-rounds.ts';
import { restockPurpose, type RestockRoundState } from '../../domain/restock/restock.ts';
import { finalizedMovement } from '../money/movement.ts';
import { type Moved, moveOnce, MovementFailedError } from '../money/move-once.ts';
import type { RestockDeps } from './deps.ts';
import { openRounds, planRestocks } from './plan.ts';
import { buildSwap, NothingBoughtError } from './swap.ts';
import { inState } from '../../domain/in-state.ts';

export type { RestockDeps } from './deps.ts';

export type RestockActivities = ReturnType<typeof createRestockActivities>;

export function createRestockActivities(deps: RestockDeps) {
  return {
    openRestocks: () => openRounds(deps),

    /** Returns the ids of all open rounds, oldest first. */
    planRestocks: () => planRestocks(deps),

    async buyForInventory(roundId: string): Promise<RestockRoundState> {
      const round = await restockRounds.byId(deps.db, roundId);
      if (!round) throw new Error(`there is no restock round ${roundId}`);
      if (!inState(round, 'open')) return round.state;
      const logger = deps.logger.child({ roundId, mint: round.mint });
      const end = await carryOut({ ...deps, logger }, round);
      if (end.state === 'done' || end.state === 'short') await restockRounds.book(deps.db, roundId, end);
      else await giveUp(deps.db, roundId, end);
      if (end.state === 'short')
        logger.error(end, 'a restock brought less than agreed: its pair is not bought any more');
      else logger.info(end, 'restock has ended');
      return end.state;
    },
  };
}

/**
 * Ends the round unless another worker has signed its swap.
 * @throws PurposeSignedError
 */
function giveUp(db: Db, roundId: string, end: RestockFailure): Promise<void> {
  return transaction(db, async (tx) => {
    const lock = await restockRounds.lockDue(tx, roundId);
    if (lock) await restockRounds.giveUp(await proveUnsigned(lock), end);
  });
}

async function carryOut(deps: RestockDeps, round: RestockRound): Promise<RestockEnd> {
  const purpose = restockPurpose(round.id);
  const payer = deps.signers.treasury.publicKey;
  let agreedRaw = 0n;
  try {
    const swap = await moveOnce(deps, {
      purpose,
      payer,
      assertDue: async (tx) => {
        const lock = await lockDue(tx, round.id);
        await restockRounds.agree(lock, agreedRaw);
        return lock;
      },
      build: async (stamp) => {
        const swap = await buildSwap(deps, round, stamp);
        ({ agreedRaw } = swap);
        return swap;
      },
    });
    if (!swap) throw new Error(`${purpose} moved nothing`);
    return await booked(deps, round, swap);
  } catch (error) {
    if (error instanceof NothingBoughtError) return { state: 'skipped', reason: error.message };
    if (!(error instanceof MovementFailedError)) throw error;
    return { state: 'failed', reason: error.message, signature: await failedSignature(deps, round) };
  }
}

async function lockDue(tx: Db, roundId: string): Promise<DueLock<RestockRound>> {
  const lock = await restockRounds.lockDue(tx, roundId);
  if (!lock) throw new Error(`restock ${roundId} has ended`);
  return lock;
}

async function booked(deps: RestockDeps, { id, mint }: RestockRound, swap: Moved): Promise<RestockEnd> {
  const { signature } = swap;
  const landed = await finalizedMovement(deps, swap);
  const treasury = deps.signers.treasury.publicKey.toBase58();
  const changes = landed.tokenChanges.filter(({ owner }) => owner === treasury);
  const { lanes } = await deps.lanes.ground();
  const isLane = (address: string) => lanes.some((lane) => lane.mint.toBase58() === address);
  const others = changes.filter((change) => change.mint !== mint && !isLane(change.mint));
  if (others.length > 0) deps.logger.error({ signature, others }, 'a restock moved other tokens of the treasury');
  const receivedRaw = changes.reduce((sum, { mint: moved, change }) => (moved === mint ? sum + change : sum), 0n);
  const moves = { signature, spentLamports: -(landed.lamportChanges.get(treasury) ?? 0n), receivedRaw };
  // A restored ledger may not know the agreed amount; a purchase always brings something.
  const leastRaw = (await restockRounds.byId(deps.db, id))?.agreedRaw ?? 1n;
  if (receivedRaw >= leastRaw) return { state: 'done', ...moves };
  return { state: 'short', reason: `it brought ${receivedRaw} raw units, at least ${leastRaw} were agreed`, ...moves };
}

async function failedSignature({ db }: RestockDeps, { id }: RestockRound): Promise<string> {
  const failed = (await chainTransactions.attemptsOf(db, restockPurpose(id))).at(-1);
  if (!failed) throw new Error(`restock ${id} failed without a transaction`);
  return failed.signature;
}
