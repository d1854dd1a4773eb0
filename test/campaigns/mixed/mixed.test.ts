import { afterAll, beforeAll, expect, it } from 'vitest';
import { report } from '../chaos/settings.ts';
import { type MixedStack, playMixed, startMixedStack } from './campaign.ts';
import { CREATORS, FAULTS, LAUNCHES, PLAY_MS, READERS, SEED } from './settings.ts';

let stack: MixedStack;
beforeAll(async () => {
  stack = await startMixedStack(SEED);
});
afterAll(() => stack.close());

it(
  'everything at once, with kills, a faulty chain and strangers: the books equal the chain to the unit',
  // A promise that was broken once is broken, whatever a second try says.
  { timeout: 900_000 + 2 * PLAY_MS, retry: 0 },
  async () => {
    const options = {
      playMs: PLAY_MS,
      launches: LAUNCHES,
      creators: CREATORS,
      readers: READERS,
      seed: SEED,
      faults: FAULTS,
    };
    const played = await playMixed(stack, options);
    report(played);
    expect(played.problems).toEqual([]);
    expect(played.movements).toBeGreaterThan(0);
    expect(played.bookings).toBeGreaterThan(0);
    expect(played.eventsHandled).toBeGreaterThan(0);
  },
);
