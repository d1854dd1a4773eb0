const DAY_MS = 24 * 60 * 60 * 1_000;

/** `YYYY-MM-DD`. */
export function utcDay(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}

/** Lists days, inclusive, oldest first, `YYYY-MM-DD`; none if `first` is later. */
export function utcDaysFrom(first: string, last: string): string[] {
  const [begin, end] = [Date.parse(`${first}T00:00:00Z`), Date.parse(`${last}T00:00:00Z`)];
  const days = Math.max(0, Math.round((end - begin) / DAY_MS) + 1);
  return Array.from({ length: days }, (_, index) => utcDay(new Date(begin + index * DAY_MS)));
}
