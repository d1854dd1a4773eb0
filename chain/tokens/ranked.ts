/** Largest first, ties by address. */
export function ranked(balances: ReadonlyMap<string, bigint>): string[] {
  return [...balances].sort(byBalance).map(([owner]) => owner);
}

/** Digits are in ASCII order; a shorter number is usually less. */
function byBalance([a, rawA]: readonly [string, bigint], [b, rawB]: readonly [string, bigint]): number {
  if (rawA !== rawB) return rawA > rawB ? -1 : 1;
  return a.length - b.length || (a < b ? -1 : 1);
}
