import type { Balances } from './least-balances.ts';
import type { RewardCandidate } from './split-among-holders.ts';

export const ACCOUNT_FAULTS = ['accountClosed', 'accountForeign', 'accountFrozen', 'accountNeedsMemo'] as const;
export type AccountFaultReason = (typeof ACCOUNT_FAULTS)[number];

/**
 * Reasons by holdings: `belowMinimum` at every observation, `notThroughout` at some. By kind: `pool`,
 * `platformWallet`, `burnAddress`, `offCurve`, `programOwned`. By share: `belowLeastPayout`. By account:
 * `ACCOUNT_FAULTS`. `closedByOperator`: an operator closed the round. `notRecorded`: the landed transaction does not
 * pay them, and the ledger has no reason.
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

export interface LeftOut {
  /** base58. */
  readonly owner: string;
  readonly reason: LeftOutReason;
  /** Over the observations. */
  readonly balanceRaw: bigint;
  /** Of the account that a payout below the least would have opened, quote units. */
  readonly rentRaw?: bigint;
}

export interface ShortOfMinimum {
  /** Only counted: dust is free, so anyone can make a crowd. */
  readonly belowMinimum: number;
  /** Enough at some observations. */
  readonly notThroughout: readonly LeftOut[];
}

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

export function withoutShare(
  candidates: readonly RewardCandidate[],
  shares: readonly Pick<RewardCandidate, 'owner'>[],
): LeftOut[] {
  const paid = new Set(shares.map(({ owner }) => owner));
  return candidates
    .filter(({ owner }) => !paid.has(owner))
    .map(({ owner, balanceRaw, rentRaw }) => {
      const leftOut = { owner, reason: 'belowLeastPayout' as const, balanceRaw };
      return rentRaw > 0n ? { ...leftOut, rentRaw } : leftOut;
    });
}
