import { expect, test } from 'vitest';
import { BLOCKS_TO_LAND, latenessOf, submittableUntil } from '../../domain/launch/quote-window.ts';

const AT = Date.parse('2026-11-26T00:00:00.000Z');
const LAST = 1_150;

/** Blocks left at a moment, if blocks come at this pace. */
const leftAt = (ms: number, blockHeight: number, blockMs: number) =>
  LAST - blockHeight - Math.ceil((ms - AT) / blockMs);

test.each([
  [1_000, 400],
  [1_003, 400],
  [1_001, 395],
  [1_000, 200],
  [1_129, 400],
  // A congested chain, one that skips many slots, one that stands nearly still.
  [1_000, 620],
  [1_000, 1_000],
  [1_000, 5_000],
  // Shorter slots than planned, and a pace that is no whole number.
  [1_000, 150],
  [1_007, 433.3],
])('from block %d on, of %d ms each, enough blocks are left at the announced end, and few more', (height, blockMs) => {
  const until = submittableUntil({ at: AT, blockHeight: height, lastValidBlockHeight: LAST, blockMs });
  const left = leftAt(until, height, blockMs);
  expect(left).toBeGreaterThanOrEqual(BLOCKS_TO_LAND);
  expect(left).toBeLessThanOrEqual(BLOCKS_TO_LAND + 4);
});

test('a quote with too few blocks is over as soon as it is made', () => {
  for (const blockHeight of [LAST - BLOCKS_TO_LAND, LAST, LAST + 50])
    expect(submittableUntil({ at: AT, blockHeight, lastValidBlockHeight: LAST, blockMs: 400 })).toBe(AT);
});

test('a quote is in time to the millisecond that was announced, and late after it', () => {
  const expiresAt = new Date(AT).toISOString();
  expect(latenessOf(AT, expiresAt, BLOCKS_TO_LAND)).toBeUndefined();
  expect(latenessOf(AT + 1, expiresAt, 150)).toBe(
    'the quote came too late: it could be submitted until 2026-11-26T00:00:00.000Z',
  );
});

test('a chain that ran faster than measured makes a quote late, too, and says by how much', () => {
  const expiresAt = new Date(AT).toISOString();
  expect(latenessOf(AT - 1, expiresAt, BLOCKS_TO_LAND - 1)).toMatch(
    /can land in 19 more blocks, and a launch needs 20$/,
  );
  expect(latenessOf(AT - 1, expiresAt, -7)).toMatch(/can land in 0 more blocks/);
});
