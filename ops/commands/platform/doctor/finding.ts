import { errorTextWithCauses } from '../../../../domain/error-text.ts';
import { within } from '../../../../domain/within.ts';

/** What one look found; it is one line for people. */
export interface Finding {
  /** What was looked at. */
  readonly check: string;
  /** `note` is worth knowing and keeps nothing from starting. */
  readonly is: 'ok' | 'note' | 'problem';
  readonly what: string;
  /** What to do; null where nothing is wrong. */
  readonly remedy: string | null;
}

/** Something that is to be looked at. */
export interface Check {
  readonly name: string;
  /** What to do where the look itself fails. */
  readonly remedy: string;
  /** Whether it reads tables, so that there is nothing to look at before they are made. */
  readonly needsSchema?: boolean;
  readonly look: () => Promise<readonly Finding[]>;
}

/** Longest look, in ms: a part that hangs is one that does not answer. */
const TIMEOUT_MS = 20_000;

export const ok = (check: string, what: string): Finding => ({ check, is: 'ok', what, remedy: null });
export const note = (check: string, what: string): Finding => ({ check, is: 'note', what, remedy: null });
export const problem = (check: string, what: string, remedy: string): Finding => ({
  check,
  is: 'problem',
  what,
  remedy,
});

/** Takes all looks at once. One that fails or hangs is a problem of its own and hides no other. */
export async function findingsOf(checks: readonly Check[]): Promise<Finding[]> {
  return (await Promise.all(checks.map(findingsOfOne))).flat();
}

async function findingsOfOne({ name, remedy, look }: Check): Promise<readonly Finding[]> {
  try {
    return await within(TIMEOUT_MS, look());
  } catch (error) {
    return [problem(name, errorTextWithCauses(error), remedy)];
  }
}
