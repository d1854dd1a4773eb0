export interface Day {
  /** `2026-01-31` */
  readonly date: string;
  readonly value: number;
}

export function daysOfBurns(
  burns: readonly { readonly burnedAt: string; readonly valueUsdAtBurn: number | null }[],
): Day[] {
  const days = new Map<string, number>();
  for (const { burnedAt, valueUsdAtBurn } of burns) {
    const date = burnedAt.slice(0, 10);
    days.set(date, (days.get(date) ?? 0) + (valueUsdAtBurn ?? 0));
  }
  return [...days].map(([date, value]) => ({ date, value })).sort((a, b) => (a.date < b.date ? -1 : 1));
}
