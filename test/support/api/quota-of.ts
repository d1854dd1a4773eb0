/** What the `ratelimit` header of an answer says. */
export function quotaOf({ headers }: { headers: Record<string, unknown> }) {
  const match = /^limit=(\d+), remaining=(\d+), reset=(\d+)$/.exec(String(headers['ratelimit']));
  if (!match) throw new Error(`a ratelimit header of ${String(headers['ratelimit'])}`);
  const [limit, remaining, resetSeconds] = match.slice(1).map(Number) as [number, number, number];
  return { limit, remaining, resetSeconds };
}
