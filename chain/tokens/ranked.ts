/** The owners of balances, greatest balance first; equal ones by address. */
export function ranked(balances: ReadonlyMap<string, bigint>): string[] {
  return [...balances].sort(byBalance).map(([owner]) => owner);
}

/** Base58 has its digits in the order of ASCII: of two numbers the shorter is less, as a rule. */
function byBalance([a, rawA]: readonly [string, bigint], [b, rawB]: readonly [string, bigint]): number {
  if (rawA !== rawB) return rawA > rawB ? -1 : 1;
  return a.length - b.length || (a < b ? -1 : 1);
}
