import { createStarvationMeter } from './starvation.ts';

/**
 * Ticks once per slot without drifting; a late tick is not made up for by more than a few at once. Where the machine gives this
 * process too little CPU, slots take longer, half as much as its work does: a blockhash outlives what is done with it.
 */
export class SlotClock {
  readonly #tick: () => void;
  readonly #starvation = createStarvationMeter();
  #slotMs: number;
  #next = 0;
  #timer: NodeJS.Timeout | null = null;

  /** @param slotMs ms per slot; 0 = slots only move when told to */
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

  /** Changes the pace from the next slot on (ms; 0 stops the clock). */
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
    const slotMs = this.#slotMs * ((1 + this.#starvation()) / 2);
    // After a long pause (a debugger, a busy machine) slots go on from now instead of rushing by.
    this.#next = now - this.#next > 4 * slotMs ? now + slotMs : this.#next + slotMs;
    this.#schedule();
  }
}
