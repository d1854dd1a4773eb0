import { type PotChange, readPotChange } from '../../chain/transactions/movement.ts';
import * as rewardRounds from '../../db/reward/reward-rounds.ts';
import * as rewardTransactions from '../../db/reward/reward-transactions.ts';
import type { Purpose } from '../../domain/purpose.ts';
import type { RewardTransactionKind } from '../../domain/reward/state.ts';
import { readRewardPurpose, rewardPurposes } from '../../domain/reward/purpose.ts';
import { explain, purposeAmong, unexplained, type UnexplainedMovement } from '../money/strays.ts';
import { movementOf } from './book.ts';
import type { RewardDeps } from './deps.ts';
import { partiesOf, type RewardMarket } from './market.ts';
import { rewardRoundId } from './round-id.ts';

/** Rounds searched after a lost ledger: four days. */
const MOST_ROUNDS = 100;

/**
 * Books transactions of a coin's rounds that are on the chain and not in the ledger; returns how many. A step's tag
 * names its round and number; only the platform's final steps count.
 */
export async function bookStrays(deps: RewardDeps, market: RewardMarket): Promise<number> {
  const pot = market.pot.publicKey.toBase58();
  let booked = 0;
  for await (const movement of unexplained(deps)) {
    if (movement.landed.lamportChanges.has(pot) && (await bookStray(deps, market, movement))) booked++;
  }
  return booked;
}

/** Accounts of movements that nothing explains: a pot among them has a lost round. */
export async function strayAccounts(deps: RewardDeps): Promise<string[]> {
  const accounts = new Set<string>();
  for await (const { landed } of unexplained(deps))
    for (const account of landed.lamportChanges.keys()) accounts.add(account);
  return [...accounts];
}

/** False if the ledger has it, or it is of no round of this coin. */
async function bookStray(deps: RewardDeps, market: RewardMarket, movement: UnexplainedMovement): Promise<boolean> {
  const { mint } = market.token;
  const last = await rewardRounds.lastNumber(deps.db, mint);
  const numbers = new Map(roundsAround(last).map((number) => [rewardRoundId(mint, number), number]));
  const purpose = await purposeAmong(deps, movement, purposesOf(numbers.keys()));
  const { roundId, n } = (purpose && readRewardPurpose(purpose)) ?? {};
  const number = roundId === undefined ? undefined : numbers.get(roundId);
  if (!purpose || roundId === undefined || n === undefined || number === undefined) return false;
  const { landed } = movement;
  const known = await rewardTransactions.byKey(deps.db, { roundId, n });
  // The run that carries it out finds that it has happened.
  if (known?.state === 'done') await explain(deps, movement, purpose);
  if (known) return false;
  const change = readPotChange(landed, partiesOf(deps, market));
  const booked = movementOf(landed, change, market, await deps.spendablePrices.at(market.token.quoteMint, landed.at));
  const kind = booked.root === undefined ? kindOf(change) : 'seal';
  await rewardTransactions.adopt(deps.db, { roundId, n, mint, number, kind, movement: booked });
  await explain(deps, movement, purpose);
  const { signature } = landed;
  deps.logger.warn({ roundId, n, signature, kind }, 'found a reward transaction on the chain that the books lacked');
  return true;
}

function roundsAround(last: number): number[] {
  const first = Math.max(1, last - MOST_ROUNDS);
  const numbers = Array.from({ length: last + MOST_ROUNDS - first + 1 }, (_, index) => first + index);
  return numbers.toSorted((a, b) => Math.abs(a - last) - Math.abs(b - last));
}

/** Yields purposes lazily: there are millions, and likely ones come first. */
function* purposesOf(roundIds: Iterable<string>): Iterable<Purpose> {
  for (const roundId of roundIds) yield* rewardPurposes(roundId);
}

/** Derives the kind from the change. A harvest without quote tokens looks like withdrawn tax and is booked the same. */
function kindOf({ baseRaw, quoteRaw, isExcess }: PotChange): RewardTransactionKind {
  if (isExcess) return 'excess';
  if (quoteRaw < 0n) return 'payout';
  if (baseRaw < 0n) return 'sale';
  return quoteRaw > 0n ? 'harvest' : 'tax';
}
