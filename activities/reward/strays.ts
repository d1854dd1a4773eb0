import { type PotChange, readPotChange } from '../../chain/transactions/movement.ts';
import * as pairs from '../../db/pairs.ts';
import { pricesAt } from '../../db/prices/prices-at.ts';
import * as rewardRounds from '../../db/reward/reward-rounds.ts';
import * as rewardTransactions from '../../db/reward/reward-transactions.ts';
import type { Purpose } from '../../domain/purpose.ts';
import type { RewardTransactionKind } from '../../domain/reward/state.ts';
import { readRewardPurpose, rewardPurpose } from '../../domain/reward/purpose.ts';
import type { FinalizedMovement } from '../money/movement.ts';
import { explain, purposeAmong, unexplained, type UnexplainedMovement } from '../money/strays.ts';
import { movementOf } from './book.ts';
import type { RewardDeps } from './deps.ts';
import { partiesOf, type RewardMarket } from './market.ts';
import { rewardRoundId } from './round-id.ts';

/** A transaction that the chain has and the books did not. */
export interface Stray {
  readonly roundId: string;
  readonly kind: RewardTransactionKind;
}

/** Rounds that a ledger may have lost, and transactions of each: 100 rounds are four days, and 20,000 transactions pay 280,000 holders. */
const MOST_ROUNDS = 100;
const MOST_TRANSACTIONS = 20_000;

/**
 * Books what a pot moved by transactions that the books do not know, as after a database was restored: each belongs to the round
 * and number that its step's tag names. Only a step of ours counts, and only once it is final.
 */
export async function bookStrays(deps: RewardDeps, market: RewardMarket): Promise<Stray[]> {
  const pot = market.pot.publicKey.toBase58();
  const strays: Stray[] = [];
  for await (const movement of unexplained(deps)) {
    if (!movement.landed.lamportChanges.has(pot)) continue;
    const stray = await bookStray(deps, market, movement);
    if (stray) strays.push(stray);
  }
  return strays;
}

async function bookStray(deps: RewardDeps, market: RewardMarket, movement: UnexplainedMovement): Promise<Stray | null> {
  const { mint } = market.token;
  const last = await rewardRounds.lastNumber(deps.db, mint);
  const numbers = new Map(roundsAround(last).map((number) => [rewardRoundId(mint, number), number]));
  const purpose = await purposeAmong(deps, movement, purposesOf(numbers.keys()));
  const { roundId, n } = (purpose && readRewardPurpose(purpose)) ?? {};
  const number = roundId === undefined ? undefined : numbers.get(roundId);
  if (!purpose || roundId === undefined || n === undefined || number === undefined) return null;
  const { landed } = movement;
  const known = await rewardTransactions.byKey(deps.db, { roundId, n });
  // What is planned under this number is carried out by what has happened; whoever carries it out finds that.
  if (known?.state === 'done') await explain(deps, movement, purpose);
  if (known) return null;
  const change = readPotChange(landed, partiesOf(deps, market));
  const booked = movementOf(landed, change, market, await quoteUsdAt(deps, market, landed));
  const kind = kindOf(change);
  await rewardTransactions.adopt(deps.db, { roundId, n, mint, number, kind, movement: booked });
  await explain(deps, movement, purpose);
  const { signature } = landed;
  deps.logger.warn({ roundId, n, signature, kind }, 'found a reward transaction on the chain that the books lacked');
  return { roundId, kind };
}

/** The newest round that is known, and those that came before or may have followed, the nearest first. */
function roundsAround(last: number): number[] {
  const first = Math.max(1, last - MOST_ROUNDS);
  const numbers = Array.from({ length: last + MOST_ROUNDS - first + 1 }, (_, index) => first + index);
  return numbers.toSorted((a, b) => Math.abs(a - last) - Math.abs(b - last));
}

/** One by one: there are millions, and the first are the likely ones. */
function* purposesOf(roundIds: Iterable<string>): Iterable<Purpose> {
  for (const roundId of roundIds) for (let n = 0; n < MOST_TRANSACTIONS; n++) yield rewardPurpose(roundId, n);
}

async function quoteUsdAt({ db }: RewardDeps, { token }: RewardMarket, { at }: FinalizedMovement) {
  const pair = await pairs.byMint(db, token.quoteMint);
  return pair ? ((await pricesAt(db, token.quoteMint, [at], pair))[0] ?? null) : null;
}

/** What moved tells what it was; a harvest that brought no quote tokens looks like withdrawn tax, and is booked the same. */
function kindOf({ baseRaw, quoteRaw, isExcess }: PotChange): RewardTransactionKind {
  if (isExcess) return 'excess';
  if (quoteRaw < 0n) return 'payout';
  if (baseRaw < 0n) return 'sale';
  return quoteRaw > 0n ? 'harvest' : 'tax';
}
