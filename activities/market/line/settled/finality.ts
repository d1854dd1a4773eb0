import type { SaidFinal } from '../observed/pulse.ts';

/** Longest time without a request to RPC (15 minutes), however many slots a stream server keeps. */
const MOST_UNASKED_SLOTS = 2_250;

export class Finality {
  readonly #now: () => number;
  #final = -1;
  #said: SaidFinal | null = null;
  #presumed = -1;
  #leeway = 0;

  /** @param now monotonic clock, ms */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** By RPC; -1 before its first response. */
  get final(): number {
    return this.#final;
  }

  get said(): SaidFinal | null {
    return this.#said;
  }

  noteFinal(slot: number): void {
    this.#final = Math.max(this.#final, slot);
    this.#said = { slot, at: this.#now() };
  }

  /** Finalized slot by RPC, or by a self-consistent stream. Only to judge plausibility: it settles nothing. */
  get presumed(): number {
    return Math.max(this.#final, this.#presumed);
  }

  presume(slot: number): void {
    this.#presumed = Math.max(this.#presumed, slot);
  }

  /** Slots that may stay unsettled because a new stream can replay them. */
  get leeway(): number {
    return this.#leeway;
  }

  noteFirstAvailable(slot: number | null): void {
    const kept = slot === null ? Infinity : this.#final - slot;
    this.#leeway = Math.min(kept / 2, MOST_UNASKED_SLOTS);
  }
}
