/**
 * Slots by which a source may be ahead of the presumed finality, plus one per `LEAST_SLOT_MS` since that moved. One
 * further ahead is of another chain or broken.
 */
const MOST_SLOTS_AHEAD = 500;
const LEAST_SLOT_MS = 10;

/** Whether a source reports the present, by when it last did. */
export class Liveness {
  readonly #silentAfterMs: number;
  readonly #now: () => number;
  /** When the source last reported a new slot at or beyond finality, ms. */
  #reportedAt: number;
  #reportedSlot = -1;
  #headAt: number;
  #headSlot = -1;
  #isLive = true;

  /** @param now monotonic clock, ms */
  constructor(silentAfterMs: number, now: () => number) {
    this.#silentAfterMs = silentAfterMs;
    this.#now = now;
    this.#reportedAt = this.#headAt = now();
  }

  /** False while the source is silent or behind finality. */
  get isLive(): boolean {
    return this.#isLive;
  }

  note(tip: number, { final, presumed }: { readonly final: number; readonly presumed: number }): void {
    const now = this.#now();
    if (presumed !== this.#headSlot) [this.#headSlot, this.#headAt] = [presumed, now];
    if (tip > this.#reportedSlot && tip >= final) this.#reportedAt = now;
    this.#reportedSlot = Math.max(this.#reportedSlot, tip);
    this.#isLive = now - this.#reportedAt < this.#silentAfterMs;
  }

  isPlausible(slot: number, presumed: number): boolean {
    const passed = (this.#now() - this.#headAt) / LEAST_SLOT_MS;
    return slot <= presumed + MOST_SLOTS_AHEAD + passed;
  }
}
