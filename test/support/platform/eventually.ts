import { setTimeout as sleep } from 'node:timers/promises';

/** Ends what would never happen; it says nothing about speed. */
const LIMIT_MS = process.env['CI'] ? 240_000 : 600_000;
/** Pauses between two looks grow to this: on a busy machine those who wait must not be what keeps it busy. */
const LONGEST_PAUSE_MS = 150;

/** Asks again and again until the answer is not null, and gives it. Throws what was waited for after minutes. */
export async function eventually<T>(ask: () => Promise<T | null>, what = 'the expected'): Promise<T> {
  const deadline = Date.now() + LIMIT_MS;
  for (let pauseMs = 15; ; pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 1.2)) {
    const answer = await ask();
    if (answer !== null) return answer;
    if (Date.now() > deadline) throw new Error(`${what} did not happen within ${LIMIT_MS} ms`);
    await sleep(pauseMs);
  }
}
