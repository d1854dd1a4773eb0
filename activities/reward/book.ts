import type { Stamp } from '../../chain/lanes/stamp.ts';
import type { SignedTransaction } from '../../chain/transactions/compile.ts';
import { type PotChange, readPotChange } from '../../chain/transactions/movement.ts';
import * as chainTransactions from '../../db/money/chain-transactions.ts';
import { isLive } from '../../db/money/chain-transactions.ts';
import { type Db, transaction } from '../../db/connect.ts';
import * as rewardPayouts from '../../db/reward/reward-payouts.ts';
import type { RewardRound } from '../../db/reward/reward-rounds.ts';
import * as rewardTransactions from '../../db/reward/reward-transactions.ts';
import type { RewardMovement } from '../../db/reward/reward-transactions.ts';
import { worthUsd } from '../../domain/pool-price.ts';
import { rewardPurpose } from '../../domain/reward/purpose.ts';
import { type FinalizedMovement, finalizedMovement } from '../money/movement.ts';
import { type Moved, moveOnce, MovementFailedError } from '../money/move-once.ts';
import type { RewardDeps } from './deps.ts';
import { partiesOf, type RewardMarket } from './market.ts';

/** One planned transaction of a round, to be carried out. */
export interface RoundMovement {
  readonly round: RewardRound;
  readonly market: RewardMarket;
  readonly n: number;
  /** Builds and signs it; null where there is nothing to be done. */
  readonly build: (stamp: Stamp) => Promise<SignedTransaction | null>;
  /** Default: to the RPC endpoints. */
  readonly send?: (wire: Uint8Array) => Promise<unknown>;
  /** USD per whole quote token that payouts are valued at. */
  readonly quoteUsd?: string | null;
  /** It is never given up because it failed: whoever it is for is owed it, and the problem is noted with the round. */
  readonly isOwed?: boolean;
  /** One of many that begin together. */
  readonly isBulk?: true;
  /** Called in the database transaction that books it. */
  readonly booked?: (tx: Db, change: PotChange) => Promise<void>;
}

/** Rent of the accounts that a payout opens at most, seven of a taxed Token-2022 token, in lamports. */
const ROUND_RENT_LAMPORTS = 7n * 2_157_600n;

/** A movement that failed so often is given up for this round; what it was to move stays where it is. */
const TRIES = 3;

/**
 * Carries out a planned transaction of a round, once, and books what it moved from its finalized balance changes. False where
 * there is none: nothing was to be done, or it failed on the chain for good as often as it may.
 */
export async function moveAndBook(deps: RewardDeps, movement: RoundMovement): Promise<boolean> {
  const { round, n, build, send } = movement;
  const key = { roundId: round.id, n };
  const purpose = rewardPurpose(round.id, n);
  for (let attempt = 1; ; attempt++) {
    try {
      const moved = await moveOnce(deps, {
        purpose,
        payer: deps.signers.platform.publicKey,
        lamports: deps.settings.tipLamports + ROUND_RENT_LAMPORTS,
        build,
        ...(send && { send }),
        ...(movement.isBulk && { isBulk: true }),
        assertDue: async (tx) => {
          const isDue = await rewardTransactions.lockPlanned(tx, key);
          if (!isDue) throw new Error(`${purpose} is not planned any more`);
        },
      });
      if (moved === null) return await giveUp(deps, movement);
      await book(deps, movement, moved);
      return true;
    } catch (error) {
      if (!(error instanceof MovementFailedError)) throw error;
      deps.logger.warn({ err: error, purpose, attempt }, 'a transaction of a reward round failed');
      if (attempt < TRIES) continue;
      if (movement.isOwed) throw error;
      return giveUp(deps, movement);
    }
  }
}

async function book(deps: RewardDeps, { round, market, n, quoteUsd, booked }: RoundMovement, moved: Moved) {
  const landed = await finalizedMovement(deps, moved);
  const { signature } = moved;
  const change = readPotChange(landed, partiesOf(deps, market));
  const movement = movementOf(landed, change, market, quoteUsd ?? null);
  await transaction(deps.db, async (tx) => {
    if (await rewardTransactions.settle(tx, { roundId: round.id, n }, movement)) await booked?.(tx, change);
  });
  const { baseRaw, quoteRaw, paidRaw } = change;
  deps.logger.info({ purpose: rewardPurpose(round.id, n), signature, baseRaw, quoteRaw, paidRaw }, 'rewards moved');
}

/** What a landed transaction is booked as. */
export function movementOf(
  { signature, slot, at: landedAt }: FinalizedMovement,
  { baseRaw, quoteRaw, paidRaw, paidAccounts }: PotChange,
  { quote }: RewardMarket,
  quoteUsd: string | null,
): RewardMovement {
  const valueUsd = paidRaw > 0n && quoteUsd !== null ? worthUsd(paidRaw, quote.decimals, quoteUsd) : null;
  return {
    signature,
    slot: BigInt(slot),
    landedAt,
    baseRaw,
    quoteRaw,
    paidRaw,
    recipients: paidAccounts.length,
    valueUsd,
  };
}

/** Gives a planned transaction up, unless another run has signed it meanwhile. */
async function giveUp(deps: RewardDeps, { round, n }: RoundMovement): Promise<false> {
  await abandonPlanned(deps, round.id, n);
  return false;
}

/** Decides that a planned transaction will not be, nor the payouts in it. Throws where one may still take effect. */
export function abandonPlanned({ db }: Pick<RewardDeps, 'db'>, roundId: string, n: number): Promise<void> {
  return transaction(db, async (tx) => {
    if (!(await rewardTransactions.lockPlanned(tx, { roundId, n }))) return;
    const attempts = await chainTransactions.attemptsOf(tx, rewardPurpose(roundId, n));
    if (attempts.some(isLive)) throw new Error(`${rewardPurpose(roundId, n)} was signed by another run`);
    await rewardTransactions.abandon(tx, { roundId, n });
    await rewardPayouts.mark(tx, { roundId, n }, []);
  });
}
