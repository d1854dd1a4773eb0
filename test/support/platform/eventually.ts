import { setTimeout as sleep } from 'node:timers/promises';

/** Ends what would never happen; it says nothing about speed. */
const LIMIT_MS = process.env['CI'] ? 240_000 : 600_000;

/** From one question to the next, ms. What is soon over must not be missed; what takes longer than `SOON_MS` lasts longer too. */
const PAUSE_MS = { soon: 20, later: 60 };
const SOON_MS = 5_000;

/**
 * Asks again and again until the answer is not null, and gives it. After minutes it throws what was waited for, and what
 * `story` tells of it.
 */
export function eventually<T>(
  ask: () => Promise<T | null>,
  what = 'the expected',
  story: () => Promise<string> | string = () => '',
): Promise<T> {
  const pause = (waitedMs: number) => (waitedMs < SOON_MS ? PAUSE_MS.soon : PAUSE_MS.later);
  return asking(ask, pause, what, story);
}

/** Waits for a moment that is soon over: asks every millisecond whether it has come. */
export async function atTheMoment(hasCome: () => Promise<boolean>, what: string): Promise<void> {
  await asking(
    async () => (await hasCome()) || null,
    () => 1,
    what,
    () => '',
  );
}

async function asking<T>(
  ask: () => Promise<T | null>,
  pause: (waitedMs: number) => number,
  what: string,
  story: () => Promise<string> | string,
): Promise<T> {
  const began = Date.now();
  for (;;) {
    const answer = await ask();
    if (answer !== null) return answer;
    const waitedMs = Date.now() - began;
    if (waitedMs > LIMIT_MS) throw new Error(`${what} did not happen within ${LIMIT_MS} ms\n${await story()}`);
    await sleep(pause(waitedMs));
  }
}
