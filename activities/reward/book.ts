import type { Stamp } from '../../chain/lanes/stamp.ts';
import { readSeal } from '../../chain/transactions/seal.ts';
import type { SignedTransaction } from '../../chain/transactions/compile.ts';
import { type PotChange, readPotChange } from '../../chain/transactions/movement.ts';
import { type Db, transaction } from '../../db/connect.ts';
import type { Unsigned } from '../../db/money/due-lock.ts';
import * as rewardPayouts from '../../db/reward/reward-payouts.ts';
import type { RewardRound } from '../../db/reward/reward-rounds.ts';
import * as rewardTransactions from '../../db/reward/reward-transactions.ts';
import type { PlannedOfRound, RewardMovement } from '../../db/reward/reward-transactions.ts';
import { worthUsd } from '../../domain/pool-price.ts';
import type { LeftOutReason } from '../../domain/reward/left-out.ts';
import { rewardPurpose } from '../../domain/reward/purpose.ts';
import type { FinalizedMovement } from '../money/movement.ts';
import { MovementFailedError } from '../money/move-once.ts';
import { moveLeg } from '../money/work/carry-out.ts';
import type { Leg } from '../money/work/leg.ts';
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

const ROUND_LEG: Leg<RewardDeps, RoundMovement, PlannedOfRound> = {
  purpose: ({ round, n }) => rewardPurpose(round.id, n),
  lock: (tx, { round, n }) => rewardTransactions.lockDue(tx, { roundId: round.id, n }),
  async open(deps, movement) {
    const { round, n, build, send, isBulk } = movement;
    return {
      payer: deps.signers.platform.publicKey,
      lamports: deps.settings.tipLamports + ROUND_RENT_LAMPORTS,
      build,
      ...(send && { send }),
      ...(isBulk && { isBulk }),
      signing: (tx) => rewardTransactions.assertSealed(tx, { roundId: round.id, n }),
      book: (landed) => book(deps, movement, landed),
    };
  },
  tries: TRIES,
  endsOn: (error, { isOwed }) =>
    error instanceof MovementFailedError && !isOwed ? { kind: 'error', reason: error.message } : null,
  end: (unsigned) => abandon(unsigned),
};

/** Abandons planned transactions and their payouts. */
export async function abandon(unsigned: Unsigned<PlannedOfRound>, reason?: LeftOutReason): Promise<void> {
  const { tx, row } = unsigned;
  await rewardTransactions.abandon(unsigned);
  for (const n of row.ns) await rewardPayouts.mark(tx, { roundId: row.roundId, n }, [], reason);
}

/** False if nothing was to be done, or it failed on the chain too often. */
export async function moveAndBook(deps: RewardDeps, movement: RoundMovement): Promise<boolean> {
  const outcome = await moveLeg(deps, ROUND_LEG, movement);
  const purpose = ROUND_LEG.purpose(movement);
  if (outcome === 'signed') throw new Error(`${purpose} had nothing to move, and another worker has signed it`);
  return outcome === 'moved';
}

async function book(deps: RewardDeps, movement: RoundMovement, landed: FinalizedMovement): Promise<void> {
  const { round, market, n, quoteUsd, booked } = movement;
  const { signature } = landed;
  const change = readPotChange(landed, partiesOf(deps, market));
  const moved = movementOf(landed, change, market, quoteUsd ?? null);
  await transaction(deps.db, async (tx) => {
    if (await rewardTransactions.settle(tx, { roundId: round.id, n }, moved)) await booked?.(tx, change);
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
