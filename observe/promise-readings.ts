import { PROMISE_OUTCOMES, type PromiseClass, type PromiseCounts } from '../domain/alarms/promises.ts';
import type { Reading } from './read-gauge.ts';

export const PROMISES_HELP =
  'What users asked for within the window of each class: in all (asked), what was kept, refused in words, or neither for longer than it may take (unknown)';

/** One reading for each class and outcome. */
export function readingsOf(
  counts: readonly (readonly [PromiseClass, PromiseCounts])[],
): Reading<'class' | 'outcome'>[] {
  return counts.flatMap(([name, of]) =>
    (['asked', ...PROMISE_OUTCOMES] as const).map((outcome) => ({
      labels: { class: name, outcome },
      value: of[outcome],
    })),
  );
}
