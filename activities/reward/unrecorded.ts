import { type PotChange, readPotChange } from '../../chain/transactions/movement.ts';
import * as rewardRounds from '../../db/reward/reward-rounds.ts';
import * as rewardTransactions from '../../db/reward/reward-transactions.ts';
import type { RewardTransactionKey } from '../../db/reward/reward-transactions.ts';
import type { Purpose } from '../../domain/purpose.ts';
import type { RewardTransactionKind, RewardTransactionState } from '../../domain/reward/state.ts';
import { rewardPurposes } from '../../domain/reward/purpose.ts';
import { adoptUnrecorded, unexplained, type UnexplainedMovement } from '../money/unrecorded.ts';
import { movementOf } from './book.ts';
import type { RewardDeps } from './deps.ts';
import { partiesOf, type RewardMarket } from './market.ts';
import { rewardRoundId } from './round-id.ts';

/** Rounds searched after a lost ledger: four days. */
const MOST_ROUNDS = 100;

/** Books transactions of a coin's rounds that are on the chain and not in the ledger; returns how many. */
export async function bookUnrecorded(deps: RewardDeps, market: RewardMarket): Promise<number> {
  const { mint } = market.token;
  const pot = market.pot.publicKey.toBase58();
  const { booked } = await adoptUnrecorded(deps, {
    async candidates({ landed }) {
      if (!landed.lamportChanges.has(pot)) return null;
      return candidatesAround(mint, await rewardRounds.lastNumber(deps.db, mint));
    },
    book: (movement, candidate) => bookOne(deps, market, candidate, movement),
  });
  return booked;
}

/** Accounts of movements that nothing explains: a pot among them has a lost round. */
export async function unrecordedAccounts(deps: RewardDeps): Promise<string[]> {
  const accounts = new Set<string>();
  for await (const { landed } of unexplained(deps))
    for (const account of landed.lamportChanges.keys()) accounts.add(account);
  return [...accounts];
}

/** A planned one is booked by the run that carries it out. */
const KNOWN: Readonly<Record<RewardTransactionState, 'known' | 'waits'>> = {
  done: 'known',
  planned: 'waits',
  void: 'waits',
};

interface Candidate extends RewardTransactionKey {
  readonly number: number;
}

async function bookOne(
  deps: RewardDeps,
  market: RewardMarket,
  { roundId, n, number }: Candidate,
  { landed }: UnexplainedMovement,
): Promise<'new' | 'known' | 'waits'> {
  const { mint, quoteMint } = market.token;
  const known = await rewardTransactions.byKey(deps.db, { roundId, n });
  if (known) return KNOWN[known.state];
  const change = readPotChange(landed, partiesOf(deps, market));
  const movement = movementOf(landed, change, market, await deps.spendablePrices.at(quoteMint, landed.at));
  const kind = movement.root === undefined ? kindOf(change) : 'seal';
  await rewardTransactions.adopt(deps.db, { roundId, n, mint, number, kind, movement });
  const { signature } = landed;
  deps.logger.warn({ roundId, n, signature, kind }, 'found a reward transaction on the chain that the books lacked');
  return 'new';
}

/** Yields them lazily: there are millions, and likely ones come first. */
function* candidatesAround(mint: string, last: number): Iterable<readonly [Purpose, Candidate]> {
  for (const number of roundsAround(last)) {
    const roundId = rewardRoundId(mint, number);
    let n = 0;
    for (const purpose of rewardPurposes(roundId)) yield [purpose, { roundId, n: n++, number }];
  }
}

function roundsAround(last: number): number[] {
  const first = Math.max(1, last - MOST_ROUNDS);
  const numbers = Array.from({ length: last + MOST_ROUNDS - first + 1 }, (_, index) => first + index);
  return numbers.toSorted((a, b) => Math.abs(a - last) - Math.abs(b - last));
}

/** Derives the kind from the change. A harvest without quote tokens looks like withdrawn tax and is booked the same. */
function kindOf({ baseRaw, quoteRaw, isExcess }: PotChange): RewardTransactionKind {
  if (isExcess) return 'excess';
  if (quoteRaw < 0n) return 'payout';
  if (baseRaw < 0n) return 'sale';
  return quoteRaw > 0n ? 'harvest' : 'tax';
}
