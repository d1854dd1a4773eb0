import { sha256 } from '@noble/hashes/sha2.js';

/** A fixed range of slots in which a round observes balances. */
export interface ObservationWindow {
  /** First slot, a multiple of `slots`. */
  readonly slot: number;
  /** Length. */
  readonly slots: number;
}

/** The published length of windows. */
export const WINDOW_SLOTS = 3_000;

/** Observations of a round. */
export const OBSERVATIONS = 3;

/** Balances must be read within this many slots of the drawn block. */
export const IN_TIME_SLOTS = 150;

const [PARTS, CANDIDATE_EVERY_SLOTS] = [OBSERVATIONS, 64];
const [CHANCE_NUMERATOR, CHANCE_DENOMINATOR] = [5, 13];
const DRAWN_BYTES = 8;

/** Returns slots. The first block at or after each one is a candidate of observation `n`. */
export function candidatesOf({ slot, slots }: ObservationWindow, n: number): number[] {
  const part = Math.floor(slots / PARTS);
  const count = Math.max(1, Math.floor(part / CANDIDATE_EVERY_SLOTS));
  return Array.from({ length: count }, (_, index) => slot + n * part + index * CANDIDATE_EVERY_SLOTS);
}

/** True if the block is drawn for observation `n` among so many candidates. */
export function isHit(blockhash: string, mint: string, n: number, candidates: number): boolean {
  const hash = sha256(new TextEncoder().encode(`${blockhash}/${mint}/${n}`));
  const drawn = hash.subarray(0, DRAWN_BYTES).reduce((value, byte) => value * 256n + BigInt(byte), 0n);
  return drawn % BigInt(Math.ceil((candidates * CHANCE_NUMERATOR) / CHANCE_DENOMINATOR)) === 0n;
}
