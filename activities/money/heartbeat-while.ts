import type { MoneyDeps } from './deps.ts';

const BEAT_EVERY_MS = 2_000;

/** Rejects when the activity is cancelled. */
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
