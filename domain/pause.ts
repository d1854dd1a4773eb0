import { setTimeout as sleep } from 'node:timers/promises';

/** Sleeps for `ms`, or until `signal`: then returns false. */
export async function pause(ms: number, signal: AbortSignal): Promise<boolean> {
  try {
    await sleep(ms, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return !signal.aborted;
}
