import { setTimeout as sleep } from 'node:timers/promises';

/** Waits so many ms, or until `signal` fires. Answers false once it has. */
export async function pause(ms: number, signal: AbortSignal): Promise<boolean> {
  try {
    await sleep(ms, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return !signal.aborted;
}
