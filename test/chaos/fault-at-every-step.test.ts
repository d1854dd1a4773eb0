import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Arena, startArena } from './arena.ts';
import { STEPS, strikeAtEveryStep } from './fault-at-every-step.ts';
import { FAULTS } from './faults/index.ts';
import type { Step } from './hold-at-step.ts';
import type { Result } from './round.ts';
import { EXTENT, report, SEED } from './settings.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let arena: Arena;
beforeAll(async () => {
  arena = await startArena();
});
afterAll(() => arena.close());

const faults = FAULTS.filter(({ everyRun }) => everyRun === true || EXTENT === 'all');

describe.each(faults)('$name', (fault) => {
  let results: Map<Step, Result>;
  beforeAll(async () => {
    const began = Date.now();
    results = await strikeAtEveryStep(arena, fault, `${SEED}/${fault.name}`);
    report({ fault: fault.name, ms: Date.now() - began, results: Object.fromEntries(results) });
  });

  it.each(STEPS)('before %s: charged once for one token, given back, or not at all', (step) => {
    expect(results.get(step)?.problems).toEqual([]);
  });
});
