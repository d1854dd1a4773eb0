import type { Stamp } from '../../chain/lanes/stamp.ts';
import { readSeal } from '../../chain/transactions/seal.ts';
import type { SignedTransaction } from '../../chain/transactions/compile.ts';
import { type PotChange, readPotChange } from '../../chain/transactions/movement.ts';
import { type Db, transaction } from '../../db/connect.ts';
import { proveUnsigned } from '../../db/money/due-lock.ts';
import * as rewardPayouts from '../../db/reward/reward-payouts.ts';
import type { RewardRound } from '../../db/reward/reward-rounds.ts';
import * as rewardTransactions from '../../db/reward/reward-transactions.ts';
import type { RewardMovement } from '../../db/reward/reward-transactions.ts';
import { worthUsd } from '../../domain/pool-price.ts';
import { rewardPurpose } from '../../domain/reward/purpose.ts';
import { type FinalizedMovement, finalizedMovement } from '../money/movement.ts';
import { type Moved, moveOnce, MovementFailedError } from '../money/move-once.ts';
import type { RewardDeps } from './deps.ts';
import type { SpendableUsd } from '../../domain/trading/spendable-price.ts';
import { partiesOf, type RewardMarket } from './market.ts';

export interface RoundMovement {
  readonly round: RewardRound;
  readonly market: RewardMarket;
  readonly n: number;
  /** Null if there is nothing to do. */
  readonly build: (stamp: Stamp) => Promise<SignedTransaction | null>;
  /** Default: to the RPC endpoints. */
  readonly send?: (wire: Uint8Array) => Promise<unknown>;
  /** USD per whole quote token, for payouts. */
  readonly quoteUsd?: SpendableUsd | null;
  /** Its recipients are owed: a failure never abandons it, and is recorded with the round. */
  readonly isOwed?: boolean;
  /** One of many that begin together. */
  readonly isBulk?: true;
  /** In the database transaction that books it. */
  readonly booked?: (tx: Db, change: PotChange) => Promise<void>;
}

/** Maximum rent of a round: seven accounts of a taxed Token-2022 token. */
const ROUND_RENT_LAMPORTS = 7n * 2_157_600n;

/** Tries before a movement is abandoned for this round; its tokens stay. */
const TRIES = 3;

/** False if nothing was to be done, or it failed on the chain too often. */
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
          const lock = await rewardTransactions.lockDue(tx, key);
          if (!lock) throw new Error(`${purpose} is not planned any more`);
          await rewardTransactions.assertSealed(tx, key);
          return lock;
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

export function movementOf(
  { signature, slot, at: landedAt, wire }: FinalizedMovement,
  { baseRaw, quoteRaw, paidRaw, paidAccounts }: PotChange,
  { quote }: RewardMarket,
  quoteUsd: SpendableUsd | null,
): RewardMovement {
  const seal = readSeal(wire);
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
    ...(seal && { root: Buffer.from(seal.root).toString('hex') }),
  };
}

async function giveUp(deps: RewardDeps, { round, n }: RoundMovement): Promise<false> {
  await abandonPlanned(deps, round.id, n);
  return false;
}

/**
 * Abandons the planned movement and its payouts.
 * @throws PurposeSignedError
 */
export function abandonPlanned({ db }: Pick<RewardDeps, 'db'>, roundId: string, n: number): Promise<void> {
  return transaction(db, async (tx) => {
    const lock = await rewardTransactions.lockDue(tx, { roundId, n });
    if (!lock) return;
    await rewardTransactions.abandon(await proveUnsigned(lock));
    await rewardPayouts.mark(tx, { roundId, n }, []);
  });
}
