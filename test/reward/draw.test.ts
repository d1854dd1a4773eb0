import { describe, expect, it } from 'vitest';
import { candidatesOf, isHit, WINDOW_SLOTS } from '../../client/verify/round/draw.ts';
import { candidateSlots, isDrawn, windowAfter } from '../../domain/reward/draw.ts';
import { rewardVariables } from '../../config/reward.ts';

const MINT = 'So11111111111111111111111111111111111111112';
const hashes = Array.from({ length: 3_000 }, (_, index) => `block-${index}`);

describe('the windows of reward rounds', () => {
  it('follow one another without gaps, and a round gets the first that begins after its plan', () => {
    expect(windowAfter(0, 3_000)).toEqual({ slot: 3_000, slots: 3_000 });
    expect(windowAfter(2_999, 3_000).slot).toBe(3_000);
    expect(windowAfter(3_000, 3_000).slot).toBe(6_000);
  });

  it('have the length that the verifier expects, unless the operator says otherwise', () => {
    expect(rewardVariables.REWARD_SNAPSHOT_WINDOW_SLOTS).toMatchObject({ default: WINDOW_SLOTS });
  });
});

describe('the draw of an observation', () => {
  it('has its candidates in its own part of the window, 64 slots apart', () => {
    const window = { slot: 3_000, slots: 3_000 };
    for (const n of [0, 1, 2]) {
      const slots = candidateSlots(window, n);
      expect(slots).toHaveLength(15);
      expect([slots[0], slots.at(-1)]).toEqual([3_000 + n * 1_000, 3_896 + n * 1_000]);
    }
    expect(candidateSlots({ slot: 9, slots: 3 }, 2)).toEqual([11]);
  });

  it('is the same by the worker and by the verifier', () => {
    for (const slots of [3, 9, 90, 600, 3_000, 6_000])
      for (const n of [0, 1, 2]) {
        const window = { slot: slots * 7, slots };
        const candidates = candidateSlots(window, n);
        expect(candidatesOf(window, n)).toEqual(candidates);
        const count = candidates.length;
        const drawn = hashes.slice(0, 300).map((blockhash) => isDrawn({ blockhash }, MINT, n, count));
        expect(hashes.slice(0, 300).map((blockhash) => isHit(blockhash, MINT, n, count))).toEqual(drawn);
      }
  });

  it('follows the published rule: the first 64 bits of sha256("<blockhash>/<mint>/<n>") modulo 6 of 15 candidates', () => {
    const hits = hashes.flatMap((blockhash, index) => (isDrawn({ blockhash }, MINT, 1, 15) ? [index] : []));
    expect(hits.slice(0, 5)).toEqual([4, 7, 8, 10, 11]);
    expect(hits.length / hashes.length).toBeCloseTo(1 / 6, 1);
  });

  it('of the only candidate is that one', () => {
    expect(hashes.every((blockhash) => isDrawn({ blockhash }, MINT, 0, 1))).toBe(true);
  });
});
