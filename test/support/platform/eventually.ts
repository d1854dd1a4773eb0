import { setTimeout as sleep } from 'node:timers/promises';

/** A machine that others work on too is given more time; where nothing goes wrong nobody waits longer. */
const PATIENCE = 6;

/**
 * Asks again and again until the answer is not null, and gives it. Throws after `withinMs` with the last error, or with
 * what was waited for.
 */
export async function eventually<T>(
  ask: () => Promise<T | null>,
  { withinMs = 10_000, what = 'the expected' }: { readonly withinMs?: number; readonly what?: string } = {},
): Promise<T> {
  const limitMs = withinMs * PATIENCE;
  const deadline = Date.now() + limitMs;
  for (;;) {
    const answer = await ask();
    if (answer !== null) return answer;
    if (Date.now() > deadline) throw new Error(`${what} did not happen within ${limitMs} ms`);
    await sleep(20);
  }
}
