import type { Purpose } from '../purpose.ts';

/**
 * Life of one reward round of one token: `observing` the holders' balances while rewards go on accruing and nothing of the round
 * shows on the chain, `collecting` the withheld tax and the position's fees, `selling` what was collected, `paying` the planned
 * payouts, `done`.
 */
export const REWARD_ROUND_STATES = ['observing', 'collecting', 'selling', 'paying', 'done'] as const;
export type RewardRoundState = (typeof REWARD_ROUND_STATES)[number];

/**
 * What one transaction of a round does. `excess`, once for a token, brings over what the fee sweep withdrew beyond the tax of
 * the launch's deposit.
 */
export type RewardTransactionKind = 'tax' | 'excess' | 'harvest' | 'sale' | 'payout';

/** `planned` until its transaction is final (`done`) or it is certain that there will be none (`void`). */
export type RewardTransactionState = 'planned' | 'done' | 'void';

/** `planned` until its batch is final; `void` where the holder's account did not take it. */
export type RewardPayoutState = 'planned' | 'paid' | 'void';

/** A payout of a round: to a holder, or to the treasury what holders' new accounts cost. */
export type RewardPayoutKind = 'holder' | 'rent';

/** How often the balances of a round are observed. */
export const SNAPSHOTS_PER_ROUND = 3;

/** Purpose and memo of the nth transaction of a round, from 0. */
export function rewardPurpose(roundId: string, n: number): Purpose {
  return `reward/${roundId}/${n}` as Purpose;
}

/** What a memo says it belongs to; null for one that is no reward's. */
export function readRewardPurpose(memo: string): { readonly roundId: string; readonly n: number } | null {
  const match = /^reward\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/(0|[1-9]\d{0,6})$/.exec(memo);
  return match ? { roundId: match[1] ?? '', n: Number(match[2]) } : null;
}

/** Rules of the rounds that a deployment may set. USD are exact decimal strings. */
export interface RewardRules {
  /** Less of the token than this, in USD, earns nothing. */
  readonly minHoldingUsd: string;
  /** Least that a payout brings after the rent of an account, in USD. */
  readonly minPayoutUsd: string;
}

/** What an owner held at one observation, raw units, by address (base58). */
export type Balances = ReadonlyMap<string, bigint>;

/** What each owner held at every one of several observations: the least of them; who was absent from one held nothing. */
export function leastBalances(observations: readonly Balances[]): Map<string, bigint> {
  const [first, ...others] = observations;
  const least = new Map<string, bigint>();
  for (const [owner, raw] of first ?? []) {
    const minimum = others.reduce((lowest, balances) => smaller(lowest, balances.get(owner) ?? 0n), raw);
    if (minimum > 0n) least.set(owner, minimum);
  }
  return least;
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
