import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chosenKills, chosenWipes } from './chosen-kills.ts';
import { killAt, strikeAt, type StrikeReport } from './kill-at.ts';
import { EXTENT, report } from '../settings.ts';
import { type RealStack, startRealStack } from './real-stack.ts';
import { WIPE_TEMPORAL } from './wipe-temporal.ts';

let stack: RealStack;
beforeAll(async () => {
  stack = await startRealStack();
});
afterAll(() => stack.close());

function expectCompletedOnce(strike: StrikeReport): void {
  const { problems, told, verdict } = strike;
  report(strike);
  expect(problems).toEqual([]);
  expect({ told, outcome: verdict.outcome }).toEqual({ told: 'completed', outcome: 'launched' });
  expect(verdict.debit).toBe(verdict.due);
}

describe('a launch during which a process is ended by kill -9', () => {
  it.each(chosenKills(EXTENT))(
    'is completed after the restart, once: $part at $point.name',
    async ({ part, point }) => {
      expectCompletedOnce(await killAt(stack, part, point));
    },
  );
});

describe('a launch during which Temporal comes back with an empty database', () => {
  it.each(chosenWipes(EXTENT))('is completed all the same, once: at $name', async (point) => {
    expectCompletedOnce(await strikeAt(stack, point, WIPE_TEMPORAL));
  });
});
