import type { StreamEvent } from '../../../../chain/stream/chain-stream.ts';
import { SlotBook, type SlotFate } from '../../../../domain/market/slot-book.ts';
import type { Pulse } from './pulse.ts';

type BlockEvent = Extract<StreamEvent, { kind: 'block' | 'slot' }>;

/** Slots kept beyond finality. */
export const KEPT_SLOTS = 200;

/** The blocks that the source reported, with their times and fates. */
export class Blocks {
  readonly #book = new SlotBook();
  /** Times that RPC gave, Unix seconds. */
  readonly #times = new Map<number, number>();
  readonly #now: () => number;
  #dead = new Set<number>();
  #tip = -1;
  #tipReportedAt = Number.NEGATIVE_INFINITY;

  /** @param now monotonic clock, ms */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** -1 before the first block. */
  get tip(): number {
    return this.#tip;
  }

  /** -1 before the first. */
  get finalized(): number {
    return this.#book.finalized;
  }

  get pulse(): Pulse {
    const blockTime = this.#book.blockTime(this.#tip);
    const madeAt = blockTime === null ? null : 1_000 * blockTime;
    return { tip: this.#tip, madeAt, toldAt: this.#tipReportedAt, finalized: this.finalized };
  }

  receive(event: BlockEvent): void {
    const { slot } = event;
    if (event.kind === 'block') {
      this.#book.noteBlock(event);
      if (slot > this.#tip) [this.#tip, this.#tipReportedAt] = [slot, this.#now()];
    } else if (event.status === 'finalized') {
      this.#book.noteFinal(slot);
      for (const timed of this.#times.keys()) if (timed < slot - KEPT_SLOTS) this.#times.delete(timed);
    } else if (event.status === 'dead') {
      this.#dead.add(slot);
      this.#book.forget(slot);
    }
  }

  noteTime(slot: number, blockTime: number): void {
    this.#times.set(slot, blockTime);
  }

  /** Unix seconds; null if unknown. */
  timeOf(slot: number): number | null {
    return this.#book.blockTime(slot) ?? this.#times.get(slot) ?? null;
  }

  fateOf(slot: number): SlotFate {
    return this.#book.fateOf(slot);
  }

  takeDead(): ReadonlySet<number> {
    const dead = this.#dead;
    this.#dead = new Set();
    return dead;
  }
}
