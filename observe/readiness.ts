import { errorText } from '../domain/error-text.ts';
import { within } from '../domain/within.ts';

/** One thing that must work for a process to be useful. Rejects with what is wrong. */
export type ReadyCheck = () => Promise<void>;

/** Answer of the readiness probe. `checks` holds "ok" or the reason of the failure. */
export interface Readiness {
  readonly ready: boolean;
  readonly checks: Readonly<Record<string, string>>;
}

/** A check that hangs is a failed one after this time, in ms. */
const CHECK_TIMEOUT_MS = 2_000;

/** Runs all checks at once, each with a time limit; a failure or a hang of one does not hide the others. */
export async function readinessOf(checks: Readonly<Record<string, ReadyCheck>>): Promise<Readiness> {
  const results = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => [name, await resultOf(check)] as const),
  );
  return { ready: results.every(([, result]) => result === 'ok'), checks: Object.fromEntries(results) };
}

async function resultOf(check: ReadyCheck): Promise<string> {
  try {
    await within(CHECK_TIMEOUT_MS, check());
    return 'ok';
  } catch (error) {
    return errorText(error);
  }
}
