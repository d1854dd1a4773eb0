import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RealStack } from '../chaos/processes/real-stack.ts';
import { report } from '../chaos/settings.ts';
import { playMixed, startMixedStack } from './campaign.ts';
import { PLAY_MS, SEED } from './settings.ts';

let stack: RealStack;
beforeAll(async () => {
  stack = await startMixedStack();
});
afterAll(() => stack.close());

it(
  'everything at once, with kills, a faulty chain and strangers: the books equal the chain to the unit',
  // A promise that was broken once is broken, whatever a second try says.
  { timeout: 900_000 + 2 * PLAY_MS, retry: 0 },
  async () => {
    const played = await playMixed(stack, { playMs: PLAY_MS, seed: SEED });
    report(played);
    expect(played.problems).toEqual([]);
    expect(played.movements).toBeGreaterThan(0);
    expect(played.bookings).toBeGreaterThan(0);
  },
);
