import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { errorText } from '../domain/error-text.ts';

export interface StartRetry {
  readonly logger: Logger;
  /** Ends the retries. */
  readonly signal: AbortSignal;
  /** Then the last failure is thrown. */
  readonly timeoutMs: number;
}

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;

/** Retries a step at start, because parts start in any order. Failures are logged; those of `isFatal` thrown. */
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

/** Sleeps; rejects with the signal's reason. */
async function pauseFor(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal });
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
}
