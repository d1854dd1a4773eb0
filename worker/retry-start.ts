import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { classifyDatabaseError } from '../db/errors.ts';
import { errorText } from '../domain/error-text.ts';

export interface StartRetry {
  readonly logger: Logger;
  /** Ends the retries. */
  readonly signal: AbortSignal;
  /** Then the last failure is thrown. */
  readonly timeoutMs: number;
  /** Gets what the start waits for, and why; `/readyz` shows it. */
  readonly onWait?: (problem: string) => void;
}

/** The error names the statement. Every statement at start reads a bounded number of rows, so a table's size is no cause. */
const SLOW_STATEMENT_REMEDY =
  'see "A statement that times out" in docs/runbook.md: statistics, locks, or a server under load';

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;

/** Retries a step at start, because parts start in any order. Failures are logged; those of `isFatal` thrown. */
export async function retryStart<T>(
  what: string,
  step: () => Promise<T>,
  { logger, signal, timeoutMs, onWait }: StartRetry,
  isFatal: (error: unknown) => boolean = () => false,
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    try {
      return await step();
    } catch (error) {
      const message = problemOf(error);
      if (isFatal(error)) throw error;
      if (Date.now() + pause > deadline)
        throw new Error(`gave up on ${what} after ${timeoutMs} ms: ${message}`, { cause: error });
      onWait?.(`${what}: ${message}`);
      logger.warn({ err: error, retryInMs: pause }, `${what} is not reachable yet (${message}); trying again`);
    }
    await pauseFor(pause, signal);
  }
}

function problemOf(error: unknown): string {
  const message = errorText(error);
  return classifyDatabaseError(error) === 'timeout' ? `${message}; ${SLOW_STATEMENT_REMEDY}` : message;
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
