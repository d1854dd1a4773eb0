import { expect } from 'vitest';
import { type Check, exitCodeOf } from '../../../client/verify/check.ts';

/** A check that is not proven, and a part of its reason. */
export type Named = readonly [check: string, how: string];

/** Requires that exactly these checks find a difference; `open` ones cannot be proven. */
export function expectNamed(checks: readonly Check[], different: readonly Named[], open: readonly Named[] = []): void {
  const found = (wanted: Check['status']) =>
    checks.filter(({ status }) => status === wanted).map(({ name, how }) => [name, how]);
  const parts = (named: readonly Named[]) =>
    named.map(([name, how]) => [name, expect.stringContaining(how) as unknown]);
  expect({ different: found('different'), open: found('unprovable') }).toEqual({
    different: parts(different),
    open: parts(open),
  });
  expect(exitCodeOf(checks)).toBe(different.length > 0 ? 1 : open.length > 0 ? 2 : 0);
}
