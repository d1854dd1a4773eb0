import { appendFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type Arena, startArena } from './arena.ts';
import { playRound } from './round.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

/** The first seed is the same everywhere; a campaign of one's own begins with another. */
const SEED = process.env['CHAOS_SEED'] ?? 'harbour';
const ROUNDS = Number(process.env['CHAOS_ROUNDS'] ?? 6);
const REPORT = process.env['CHAOS_REPORT'];

let arena: Arena;
beforeAll(async () => {
  arena = await startArena();
});
afterAll(() => arena.close());

const seeds = Array.from({ length: ROUNDS }, (_, index) => `${SEED}-${index}`);

it.each(seeds)(
  'launches survive the faults of seed %s: charged once for one token, given back, or not at all',
  async (seed) => {
    const report = await playRound(arena, seed);
    if (REPORT !== undefined) appendFileSync(REPORT, `${JSON.stringify(report)}\n`);
    const broken = report.results.filter(({ problems }) => problems.length > 0);
    expect(broken, `seed ${seed}: ${report.faults.join(' + ')}`).toEqual([]);
  },
);
