import { setTimeout as sleep } from 'node:timers/promises';

/** Ends what would never happen; it says nothing about speed. */
const LIMIT_MS = process.env['CI'] ? 240_000 : 600_000;

/**
 * Asks again and again until the answer is not null, and gives it. After minutes it throws what was waited for, and what
 * `story` tells of it.
 */
export async function eventually<T>(
  ask: () => Promise<T | null>,
  what = 'the expected',
  story: () => Promise<string> | string = () => '',
): Promise<T> {
  const deadline = Date.now() + LIMIT_MS;
  for (;;) {
    const answer = await ask();
    if (answer !== null) return answer;
    if (Date.now() > deadline) throw new Error(`${what} did not happen within ${LIMIT_MS} ms\n${await story()}`);
    await sleep(20);
  }
}
