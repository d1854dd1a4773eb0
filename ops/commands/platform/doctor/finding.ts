import { errorTextWithCauses } from '../../../../domain/error-text.ts';
import { within } from '../../../../domain/within.ts';

/** Checks in order of a deployment: each needs those before. docs/deploy.md names them. */
export const CHECKS = [
  'configuration',
  'rpc',
  'quorum',
  'chain',
  'database',
  'temporal',
  'schema',
  'api role',
  'keys',
  'storage',
  'block engine',
  'tip floor',
  'programs',
  'clock',
  'balance',
  'lanes',
  'pairs',
  'switches',
  'prices',
  'exchange',
  'conformance',
  'disk',
  'certificate',
  'proxy',
  'backup',
] as const;

export type CheckName = (typeof CHECKS)[number];

export interface Finding {
  readonly check: CheckName;
  /** A `note` prevents no start. */
  readonly is: 'ok' | 'note' | 'problem';
  readonly what: string;
  /** Null if nothing is wrong. */
  readonly remedy: string | null;
}

export interface Check {
  readonly name: CheckName;
  /** If the check itself fails. */
  readonly remedy: string;
  readonly needsSchema?: boolean;
  readonly look: () => Promise<readonly Finding[]>;
}

const TIMEOUT_MS = 20_000;

export const ok = (check: CheckName, what: string): Finding => ({ check, is: 'ok', what, remedy: null });
export const note = (check: CheckName, what: string): Finding => ({ check, is: 'note', what, remedy: null });
export const problem = (check: CheckName, what: string, remedy: string): Finding => ({
  check,
  is: 'problem',
  what,
  remedy,
});

/** Runs all checks at once. A failing or hanging one hides no other. */
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
