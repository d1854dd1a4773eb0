import * as chainTransactions from '../../db/money/chain-transactions.ts';
import * as restockRounds from '../../db/restock/restock-rounds.ts';
import type { RestockEnd, RestockRound } from '../../db/restock/restock-rounds.ts';
import { restockPurpose, type RestockRoundState } from '../../domain/restock/restock.ts';
import { finalizedMovement } from '../money/movement.ts';
import { type Moved, moveOnce, MovementFailedError } from '../money/move-once.ts';
import type { RestockDeps } from './deps.ts';
import { openRounds, planRestocks } from './plan.ts';
import { buildSwap, NothingBoughtError } from './swap.ts';

export type { RestockDeps } from './deps.ts';

export type RestockActivities = ReturnType<typeof createRestockActivities>;

/** Purchases of quote tokens for the treasury's inventory. */
export function createRestockActivities(deps: RestockDeps) {
  return {
    /** Ids of all open rounds, oldest first. */
    openRestocks: () => openRounds(deps),

    /** Plans what is due; answers the ids of all open rounds, oldest first. */
    planRestocks: () => planRestocks(deps),

    /** Carries out one round, once, and books what it moved. Answers how it ended. */
    async buyForInventory(roundId: string): Promise<RestockRoundState> {
      const round = await restockRounds.byId(deps.db, roundId);
      if (!round) throw new Error(`there is no restock round ${roundId}`);
      if (round.state !== 'open') return round.state;
      const logger = deps.logger.child({ roundId, mint: round.mint });
      const end = await carryOut({ ...deps, logger }, round);
      await restockRounds.settle(deps.db, roundId, end);
      logger.info(end, 'restock has ended');
      return end.state;
    },
  };
}

async function carryOut(deps: RestockDeps, round: RestockRound): Promise<RestockEnd> {
  const purpose = restockPurpose(round.id);
  const payer = deps.signers.treasury.publicKey;
  try {
    const swap = await moveOnce(deps, { purpose, payer, build: (stamp) => buildSwap(deps, round, stamp) });
    if (!swap) throw new Error(`${purpose} moved nothing`);
    return await booked(deps, round, swap);
  } catch (error) {
    if (error instanceof NothingBoughtError) return { state: 'skipped', reason: error.message };
    if (!(error instanceof MovementFailedError)) throw error;
    return { state: 'failed', reason: error.message, signature: await failedSignature(deps, round) };
  }
}

/** What a finalized swap moved, from its own balance changes. */
async function booked(deps: RestockDeps, { mint }: RestockRound, swap: Moved): Promise<RestockEnd> {
  const { signature } = swap;
  const landed = await finalizedMovement(deps, swap);
  const treasury = deps.signers.treasury.publicKey.toBase58();
  const changes = landed.tokenChanges.filter(({ owner }) => owner === treasury);
  const { lanes } = await deps.lanes.ground();
  const isLane = (address: string) => lanes.some((lane) => lane.mint.toBase58() === address);
  const others = changes.filter((change) => change.mint !== mint && !isLane(change.mint));
  if (others.length > 0) deps.logger.error({ signature, others }, 'a restock moved other tokens of the treasury');
  const receivedRaw = changes.reduce((sum, { mint: moved, change }) => (moved === mint ? sum + change : sum), 0n);
  return { state: 'done', signature, spentLamports: -(landed.lamportChanges.get(treasury) ?? 0n), receivedRaw };
}

async function failedSignature({ db }: RestockDeps, { id }: RestockRound): Promise<string> {
  const failed = (await chainTransactions.attemptsOf(db, restockPurpose(id))).at(-1);
  if (!failed) throw new Error(`restock ${id} failed without a transaction`);
  return failed.signature;
}
