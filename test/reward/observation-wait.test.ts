import { expect, it } from 'vitest';
import { waitForSlots } from '../../domain/reward/observation-wait.ts';

/** Slots of a third of the usual window, in which a round waits for its observation. */
const PART = 2_000;

/** How often somebody looks until so many slots are over, and how many slots late they are then, at a pace in ms per slot. */
function looksAt(paceMs: number, slotsBefore: number): { looks: number; late: number } {
  let [looks, passed] = [0, 0];
  while (passed < PART) {
    looks += 1;
    const all = slotsBefore + passed;
    const waitMs = waitForSlots(PART - Math.floor(passed), { slots: Math.floor(all), ms: all * paceMs });
    passed += waitMs / paceMs;
  }
  return { looks, late: passed - PART };
}

it.each([330, 390, 400, 410, 480, 600])(
  'at %i ms a slot somebody looks once for an observation, and once more where the pace was not known',
  (paceMs) => {
    // The pace is not known yet where a round has just begun.
    expect(looksAt(paceMs, 0).looks).toBeLessThanOrEqual(2);
    expect(looksAt(paceMs, PART).looks).toBe(1);
    expect(looksAt(paceMs, 0).late).toBeLessThan(PART / 4);
    expect(looksAt(paceMs, PART).late).toBeLessThan(PART / 80);
  },
);

it('a head that is a slot old, and a pace that becomes a little slower, cost no second look', () => {
  const waitMs = waitForSlots(PART, { slots: PART - 1, ms: PART * 400 });
  expect(waitMs / 402).toBeGreaterThanOrEqual(PART + 1);
});

it('a chain that stood still is not taken for a slow one', () => {
  expect(waitForSlots(100, { slots: 100, ms: 86_400_000 })).toBeLessThan(100 * 900);
});
