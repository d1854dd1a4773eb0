import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Asks again and again until the answer is not null, and gives it. Throws after `withinMs` with the last error, or with
 * what was waited for.
 */
export async function eventually<T>(
  ask: () => Promise<T | null>,
  { withinMs = 10_000, what = 'the expected' }: { readonly withinMs?: number; readonly what?: string } = {},
): Promise<T> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (answer !== null) return answer;
    if (Date.now() > deadline) throw new Error(`${what} did not happen within ${withinMs} ms`);
    await sleep(20);
  }
}
