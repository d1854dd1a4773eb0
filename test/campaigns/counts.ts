/** How often there was what, by its name. */
type Counts = Readonly<Record<string, number>>;

/** How often each name is among these. */
export function countOf(names: readonly string[]): Counts {
  const counts: Record<string, number> = {};
  for (const name of names) count(counts, name);
  return counts;
}

/** One more of what has this name. */
export function count(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}

/** As a person reads it: "2 launched, 1 refunded"; empty where nothing was counted. */
export function countsInWords(counts: Counts): string {
  return Object.entries(counts)
    .map(([name, times]) => `${times} ${name}`)
    .join(', ');
}
