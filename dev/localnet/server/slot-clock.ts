/** Ticks without drift; catches up only a few late ticks. */
export class SlotClock {
  readonly #tick: () => void;
  #slotMs: number;
  #next = 0;
  #timer: NodeJS.Timeout | null = null;

  /** @param slotMs 0 = only on command */
  constructor(slotMs: number, tick: () => void) {
    this.#slotMs = slotMs;
    this.#tick = tick;
  }

  get slotMs(): number {
    return this.#slotMs;
  }

  start(): void {
    this.stop();
    if (this.#slotMs <= 0) return;
    this.#next = performance.now() + this.#slotMs;
    this.#schedule();
  }

  stop(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }

  /** Sets the pace from the next slot on; 0 stops the clock. */
  setSlotMs(slotMs: number): void {
    this.#slotMs = slotMs;
    this.start();
  }

  #schedule(): void {
    this.#timer = setTimeout(() => this.#fire(), Math.max(0, this.#next - performance.now()));
  }

  #fire(): void {
    this.#tick();
    const now = performance.now();
    // After a long pause slots continue from now.
    this.#next = now - this.#next > 4 * this.#slotMs ? now + this.#slotMs : this.#next + this.#slotMs;
    this.#schedule();
  }
}
