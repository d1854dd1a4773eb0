/**
 * Slots by which a source may be ahead of the presumed finality, plus one per `LEAST_SLOT_MS` since that moved. One
 * further ahead is of another chain or broken.
 */
const MOST_SLOTS_AHEAD = 500;
const LEAST_SLOT_MS = 10;

/** Whether a source reports the present, by when it last did. */
export class Liveness {
  readonly #silentAfterMs: number;
  /** When the source last reported a new slot at or beyond finality, ms. */
  #reportedAt = performance.now();
  #reportedSlot = -1;
  #headAt = performance.now();
  #headSlot = -1;
  #isLive = true;

  constructor(silentAfterMs: number) {
    this.#silentAfterMs = silentAfterMs;
  }

  /** False while the source is silent or behind finality. */
  get isLive(): boolean {
    return this.#isLive;
  }

  note(tip: number, { final, presumed }: { readonly final: number; readonly presumed: number }): void {
    const now = performance.now();
    if (presumed !== this.#headSlot) [this.#headSlot, this.#headAt] = [presumed, now];
    if (tip > this.#reportedSlot && tip >= final) this.#reportedAt = now;
    this.#reportedSlot = Math.max(this.#reportedSlot, tip);
    this.#isLive = now - this.#reportedAt < this.#silentAfterMs;
  }

  isPlausible(slot: number, presumed: number): boolean {
    const passed = (performance.now() - this.#headAt) / LEAST_SLOT_MS;
    return slot <= presumed + MOST_SLOTS_AHEAD + passed;
  }
}
