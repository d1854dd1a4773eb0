import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { chosenKills } from './chosen-kills.ts';
import { killAt } from './kill-at.ts';
import { type RealStack, startRealStack } from './real-stack.ts';

vi.setConfig({ testTimeout: 180_000 });

let stack: RealStack;
beforeAll(async () => {
  stack = await startRealStack();
});
afterAll(() => stack.close());

describe('a launch during which a process is killed with kill -9', () => {
  it.each(chosenKills(process.env['CHAOS_KILLS']))(
    'is completed after the restart, once: $part at "$point.name"',
    async ({ part, point }) => {
      const { told, verdict } = await killAt(stack, part, point);
      expect(verdict.problems).toEqual([]);
      expect({ told, outcome: verdict.outcome }).toEqual({ told: 'completed', outcome: 'launched' });
      expect(verdict.debit).toBe(verdict.due);
    },
  );
});
