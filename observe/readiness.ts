import { errorText } from '../domain/error-text.ts';
import { within } from '../domain/within.ts';

/** Rejects with the problem. */
export type ReadyCheck = () => Promise<void>;

export interface Readiness {
  readonly ready: boolean;
  readonly checks: Readonly<Record<string, string>>;
}

const CHECK_TIMEOUT_MS = 2_000;

/** Runs all checks; one failure hides no other. */
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
