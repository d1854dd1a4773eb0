import { setTimeout as sleep } from 'node:timers/promises';

/** Ends a wait for what never happens, ms; less than the limit of a test. It says nothing about speed. */
export const WAIT_MS = Number(process.env['TEST_WAIT_MS'] ?? 240_000);

/** From one question to the next, ms. What is soon over must not be missed; what takes longer than `SOON_MS` lasts longer too. */
const PAUSE_MS = { soon: 20, later: 60 };
const SOON_MS = 5_000;

/** Asks until the answer is not null, and returns it. @throws Error naming `what` and telling `story` when the limit is over */
export function eventually<T>(
  ask: () => Promise<T | null>,
  what = 'the expected event',
  story: () => Promise<string> | string = () => '',
): Promise<T> {
  const pause = (waitedMs: number) => (waitedMs < SOON_MS ? PAUSE_MS.soon : PAUSE_MS.later);
  return asking(ask, pause, what, story);
}

/** Waits for a state that passes quickly: asks every millisecond. @throws Error naming `what` */
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
    if (waitedMs > WAIT_MS) throw new Error(`${what} did not happen within ${WAIT_MS} ms\n${await story()}`);
    await sleep(pause(waitedMs));
  }
}
