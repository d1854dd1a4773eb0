import type { Answer } from '../../../client/index.ts';
import type { Day } from '../platform/days.ts';

type RewardDay = Pick<Answer<'GET /wallets/{wallet}/rewards'>['days'][number], 'date' | 'valueUsd'>;

/** USD of all coins together, the oldest day first. */
export function daysOfRewards(days: readonly RewardDay[]): Day[] {
  const sums = new Map<string, number>();
  for (const { date, valueUsd } of days) sums.set(date, (sums.get(date) ?? 0) + valueUsd);
  return [...sums].map(([date, value]) => ({ date, value })).sort((a, b) => (a.date < b.date ? -1 : 1));
}
