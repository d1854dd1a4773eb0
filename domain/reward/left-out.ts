import type { Balances } from './least-balances.ts';
import type { RewardCandidate } from './split-among-holders.ts';

/**
 * What about an owner's account for the quote token does not take a payout: it is gone, of another program, mint or owner,
 * frozen, or takes transfers with a memo alone.
 */
export const ACCOUNT_FAULTS = ['accountClosed', 'accountForeign', 'accountFrozen', 'accountNeedsMemo'] as const;
export type AccountFaultReason = (typeof ACCOUNT_FAULTS)[number];

/**
 * Why an owner got nothing of a round. By what they held: `belowMinimum` at every observation, `notThroughout` at some of them. By
 * who they are: `pool`, `platformWallet`, `burnAddress`, `offCurve` (no key can sign for it), `programOwned`. By their share:
 * `belowLeastPayout`. By their account when they were to be paid; or the round was `closedByOperator`; or the transaction that
 * landed has nothing for them and the ledger does not know why, `notRecorded`.
 */
export const LEFT_OUT_REASONS = [
  'belowMinimum',
  'notThroughout',
  'pool',
  'platformWallet',
  'burnAddress',
  'offCurve',
  'programOwned',
  'belowLeastPayout',
  ...ACCOUNT_FAULTS,
  'closedByOperator',
  'notRecorded',
] as const;
export type LeftOutReason = (typeof LEFT_OUT_REASONS)[number];

/** An owner who got nothing of a round. */
export interface LeftOut {
  /** Address, base58. */
  readonly owner: string;
  readonly reason: LeftOutReason;
  /** The least that they held at the observations, raw units. */
  readonly balanceRaw: bigint;
}

/** Whom their holdings left out of a round. */
export interface ShortOfMinimum {
  /** Owners who held less than the minimum at every observation. Counted only: dust costs nothing, so anybody can make a crowd. */
  readonly belowMinimum: number;
  /** Owners who held enough at some observation, and less at another. */
  readonly notThroughout: readonly LeftOut[];
}

/** Whom their holdings leave out: all who were seen and did not hold the minimum (raw units) at every observation. */
export function shortOfMinimum(observations: readonly Balances[], least: Balances, minimumRaw: bigint): ShortOfMinimum {
  const seen = new Set(observations.flatMap((balances) => [...balances.keys()]));
  const short = [...seen].filter((owner) => !reaches(least, owner, minimumRaw));
  const notThroughout = short
    .filter((owner) => observations.some((balances) => reaches(balances, owner, minimumRaw)))
    .map((owner) => ({ owner, reason: 'notThroughout' as const, balanceRaw: least.get(owner) ?? 0n }));
  return { belowMinimum: short.length - notThroughout.length, notThroughout };
}

function reaches(balances: Balances, owner: string, minimumRaw: bigint): boolean {
  const raw = balances.get(owner);
  return raw !== undefined && raw >= minimumRaw;
}

/** Those who might have had a share and got none. */
export function withoutShare(
  candidates: readonly Pick<RewardCandidate, 'owner' | 'balanceRaw'>[],
  shares: readonly Pick<RewardCandidate, 'owner'>[],
): LeftOut[] {
  const paid = new Set(shares.map(({ owner }) => owner));
  return candidates
    .filter(({ owner }) => !paid.has(owner))
    .map(({ owner, balanceRaw }) => ({ owner, reason: 'belowLeastPayout' as const, balanceRaw }));
}
