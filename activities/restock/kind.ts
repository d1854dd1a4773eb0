import * as restockRounds from '../../db/restock/restock-rounds.ts';
import type { RestockRound } from '../../db/restock/restock-rounds.ts';
import { restockPurpose, type RestockRoundState } from '../../domain/restock/restock.ts';
import type { FinalizedMovement } from '../money/movement.ts';
import { MovementFailedError } from '../money/move-once.ts';
import type { ClosableLeg, EndCause, WorkKind } from '../money/work/leg.ts';
import type { RestockDeps } from './deps.ts';
import { buildSwap, NothingBoughtError } from './swap.ts';

/** Swaps SOL of the treasury for a quote token. A round that cannot buy ends, and another is planned. */
const swapLeg: ClosableLeg<RestockDeps, RestockRound, RestockRound> = {
  purpose: ({ id }) => restockPurpose(id),
  lock: (tx, { id }) => restockRounds.lockDue(tx, id),
  async open(deps, round) {
    let agreedRaw = 0n;
    return {
      payer: deps.signers.treasury.publicKey,
      build: async (stamp) => {
        const swap = await buildSwap(deps, round, stamp);
        ({ agreedRaw } = swap);
        return swap;
      },
      signing: (tx) => restockRounds.agree(tx, round.id, agreedRaw),
      book: (landed) => book(deps, round, landed),
    };
  },
  endsOn,
  end: restockRounds.giveUp,
  ended: ({ id }) => `restock ${id} is closed`,
};

const LEGS: Readonly<Record<RestockRoundState, typeof swapLeg | null>> = {
  open: swapLeg,
  done: null,
  short: null,
  skipped: null,
  failed: null,
};

export const RESTOCK: WorkKind<RestockDeps, string, RestockRound> = {
  name: 'restock',
  find: restockRounds.byId,
  next: ({ state }) => LEGS[state],
};

function endsOn(error: unknown): EndCause | null {
  if (error instanceof NothingBoughtError) return { kind: 'error', reason: error.message };
  if (!(error instanceof MovementFailedError)) return null;
  return { kind: 'error', reason: error.message, signature: error.signature };
}

async function book(deps: RestockDeps, { id, mint }: RestockRound, landed: FinalizedMovement): Promise<void> {
  const { db, logger, signers } = deps;
  const { signature } = landed;
  const treasury = signers.treasury.publicKey.toBase58();
  const changes = landed.tokenChanges.filter(({ owner }) => owner === treasury);
  const { lanes } = await deps.lanes.ground();
  const isLane = (address: string) => lanes.some((lane) => lane.mint.toBase58() === address);
  const others = changes.filter((change) => change.mint !== mint && !isLane(change.mint));
  if (others.length > 0) logger.error({ signature, others }, 'a restock moved other tokens of the treasury');
  const receivedRaw = changes.reduce((sum, { mint: moved, change }) => (moved === mint ? sum + change : sum), 0n);
  const moves = { signature, spentLamports: -(landed.lamportChanges.get(treasury) ?? 0n), receivedRaw };
  // A restored ledger may not know the agreed amount; a purchase always brings something.
  const leastRaw = (await restockRounds.byId(db, id))?.agreedRaw ?? 1n;
  if (receivedRaw >= leastRaw) {
    await restockRounds.book(db, id, { state: 'done', ...moves });
    return logger.info(moves, 'quote tokens bought');
  }
  const reason = `it brought ${receivedRaw} raw units, at least ${leastRaw} were agreed`;
  logger.error({ reason, ...moves }, 'a restock brought less than agreed: its pair is not bought any more');
  await restockRounds.book(db, id, { state: 'short', reason, ...moves });
}
