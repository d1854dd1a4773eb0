import type { Purpose } from '../purpose.ts';

export function rewardPurpose(roundId: string, n: number): Purpose {
  return `reward/${roundId}/${n}` as Purpose;
}

/** Null for others. */
export function readRewardPurpose(memo: string): { readonly roundId: string; readonly n: number } | null {
  const match = /^reward\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/(0|[1-9]\d{0,6})$/.exec(memo);
  return match ? { roundId: match[1] ?? '', n: Number(match[2]) } : null;
}
