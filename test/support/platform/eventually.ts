import { setTimeout as sleep } from 'node:timers/promises';

/** Ends what would never happen; it says nothing about speed. */
const LIMIT_MS = process.env['CI'] ? 240_000 : 600_000;

/**
 * From one question to the next, ms: a twentieth of what was waited so far, within these bounds. What comes soon is seen soon, and
 * what takes long costs little.
 */
const PAUSE_MS = { least: 20, most: 60 };
const PAUSE_PART = 1 / 20;

/**
 * Asks again and again until the answer is not null, and gives it. After minutes it throws what was waited for, and what
 * `story` tells of it.
 */
export function eventually<T>(
  ask: () => Promise<T | null>,
  what = 'the expected',
  story: () => Promise<string> | string = () => '',
): Promise<T> {
  const pause = (waitedMs: number) => Math.min(Math.max(waitedMs * PAUSE_PART, PAUSE_MS.least), PAUSE_MS.most);
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
