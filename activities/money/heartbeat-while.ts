import type { MoneyDeps } from './deps.ts';

/** How often an activity that waits says that it is there, in ms. */
const BEAT_EVERY_MS = 2_000;

/** Waits for something as an activity does: it says that it is there, and gives up when it is cancelled. */
export async function whileAlive<T>(
  { heartbeat, sleep }: Pick<MoneyDeps, 'heartbeat' | 'sleep'>,
  work: Promise<T>,
): Promise<T> {
  for (;;) {
    heartbeat();
    const beat = sleep(BEAT_EVERY_MS).then(() => null);
    const ended = await Promise.race([work.then((value) => ({ value })), beat]);
    if (ended) return ended.value;
  }
}
