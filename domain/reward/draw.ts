import { sha256 } from '@noble/hashes/sha2.js';
import { SNAPSHOTS_PER_ROUND } from './state.ts';

/** A fixed range of slots in which a round observes balances. */
export interface RewardWindow {
  /** First slot, a multiple of `slots`. */
  readonly slot: number;
  /** Length. */
  readonly slots: number;
}

/** A block that may draw the moment. */
export interface CandidateBlock {
  /** base58 */
  readonly blockhash: string;
}

/** Slots between two candidates of a part. */
const CANDIDATE_EVERY_SLOTS = 64;

/** Candidates per 5/13 of a hit: with 15, or 31, one of 13 observations is at the last candidate. */
const [CHANCE_NUMERATOR, CHANCE_DENOMINATOR] = [5, 13];

/** Slots after the drawn block in which a reading counts. After that the window is missed. */
export const MOST_LATE_SLOTS = 900;

/** Returns the first window that begins after the slot: windows follow one another without gaps, from slot 0. */
export function windowAfter(slot: number, slots: number): RewardWindow {
  return { slot: (Math.floor(slot / slots) + 1) * slots, slots };
}

function partOf({ slots }: RewardWindow): number {
  return Math.floor(slots / SNAPSHOTS_PER_ROUND);
}

/**
 * Slots of the candidates for observation `n` of a window, in order. A candidate is the first block at or after its
 * slot.
 */
export function candidateSlots(window: RewardWindow, n: number): number[] {
  const part = partOf(window);
  const count = Math.max(1, Math.floor(part / CANDIDATE_EVERY_SLOTS));
  return Array.from({ length: count }, (_, index) => window.slot + n * part + index * CANDIDATE_EVERY_SLOTS);
}

/**
 * True if the observation is at this block. Nothing that the platform chooses takes part: only the block, the coin and
 * the number of the observation.
 */
export function isDrawn({ blockhash }: CandidateBlock, mint: string, n: number, candidates: number): boolean {
  const digest = sha256(new TextEncoder().encode(`${blockhash}/${mint}/${n}`));
  const drawn = new DataView(digest.buffer, digest.byteOffset).getBigUint64(0);
  return drawn % BigInt(Math.ceil((candidates * CHANCE_NUMERATOR) / CHANCE_DENOMINATOR)) === 0n;
}
