import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Arena, startArena } from './arena.ts';
import { STEPS, strikeAtEveryStep } from './fault-at-every-step.ts';
import { FAULTS } from './faults/index.ts';
import type { Step } from './hold-at-step.ts';
import type { Result } from './round.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const SEED = process.env['CHAOS_SEED'] ?? 'harbour';

let arena: Arena;
beforeAll(async () => {
  arena = await startArena();
});
afterAll(() => arena.close());

describe.each(FAULTS)('$name', (fault) => {
  let results: Map<Step, Result>;
  beforeAll(async () => {
    results = await strikeAtEveryStep(arena, fault, `${SEED}/${fault.name}`);
  });

  it.each(STEPS)('before %s: charged once for one token, given back, or not at all', (step) => {
    expect(results.get(step)?.problems).toEqual([]);
  });
});
