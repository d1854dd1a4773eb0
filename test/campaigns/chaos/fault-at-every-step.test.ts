import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Arena, startArena } from './arena.ts';
import { STEPS, strikeAtEveryStep } from './fault-at-every-step.ts';
import { FAULTS } from './faults/index.ts';
import { EXTENT, report, SEED } from './settings.ts';

let arena: Arena;
beforeAll(async () => {
  arena = await startArena();
});
afterAll(() => arena.close());

/** Beyond what ten launches may take one upon the other to come to rest. */
const HANGS_AFTER_MS = 1_200_000;

const faults = FAULTS.filter(({ everyRun }) => everyRun === true || EXTENT === 'all');
const nothingBroken = Object.fromEntries(STEPS.map((step) => [step, []]));

describe('a launch right before any of its steps', () => {
  it.each(faults)(
    'is charged once for one token, given back, or not at all, when this strikes: $name',
    async (fault) => {
      const began = Date.now();
      const results = await strikeAtEveryStep(arena, fault, `${SEED}/${fault.name}`);
      report({ fault: fault.name, ms: Date.now() - began, results: Object.fromEntries(results) });
      const broken = [...results].map(([step, { problems }]) => [step, problems]);
      expect(Object.fromEntries(broken)).toEqual(nothingBroken);
    },
    HANGS_AFTER_MS,
  );
});
