import type { Purpose } from '../purpose.ts';

export function rewardPurpose(roundId: string, n: number): Purpose {
  return `reward/${roundId}/${n}` as Purpose;
}

/** Transactions of a round at most: 20,000 pay 280,000 holders. */
const MOST_TRANSACTIONS = 20_000;

/** Yields the purposes that transactions of a round may have, lazily. */
export function* rewardPurposes(roundId: string): Iterable<Purpose> {
  for (let n = 0; n < MOST_TRANSACTIONS; n++) yield rewardPurpose(roundId, n);
}
