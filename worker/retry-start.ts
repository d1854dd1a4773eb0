import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { errorText } from '../domain/error-text.ts';

/** How long and how often a start-up step is tried. */
export interface StartRetry {
  readonly logger: Logger;
  /** Ends the tries early, for instance on SIGTERM. */
  readonly signal: AbortSignal;
  /** After this long the last failure is thrown, so that a wrong address does not wait for ever, in ms. */
  readonly timeoutMs: number;
}

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;

/**
 * Repeats a start-up step until it succeeds: the parts of a deployment start in any order. Every failed try is logged with
 * what was being reached. `isFatal` names failures that waiting cannot mend; they are thrown at once.
 */
export async function retryStart<T>(
  what: string,
  step: () => Promise<T>,
  { logger, signal, timeoutMs }: StartRetry,
  isFatal: (error: unknown) => boolean = () => false,
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    try {
      return await step();
    } catch (error) {
      const message = errorText(error);
      if (isFatal(error)) throw error;
      if (Date.now() + pause > deadline)
        throw new Error(`gave up on ${what} after ${timeoutMs} ms: ${message}`, { cause: error });
      logger.warn({ err: error, retryInMs: pause }, `${what} is not reachable yet (${message}); trying again`);
    }
    await pauseFor(pause, signal);
  }
}

/** Rejects with the signal's reason when it fires. */
async function pauseFor(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal });
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
}
