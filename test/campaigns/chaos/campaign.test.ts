import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Arena, startArena } from './arena.ts';
import { playRound } from './round.ts';
import { report, ROUND_SEEDS } from './settings.ts';

let arena: Arena;
beforeAll(async () => {
  arena = await startArena();
});
afterAll(() => arena.close());

it.each(ROUND_SEEDS)(
  'launches survive the faults of seed %s: charged once for one token, given back, or not at all',
  async (seed) => {
    const began = Date.now();
    const round = await playRound(arena, seed);
    report({ ...round, ms: Date.now() - began });
    const broken = round.results.filter(({ problems }) => problems.length > 0);
    expect(broken, `seed ${seed}: ${round.faults.join(' + ')}`).toEqual([]);
  },
);
