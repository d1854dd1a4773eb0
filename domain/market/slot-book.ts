/** A block as it was told of. */
export interface KnownBlock {
  readonly slot: number;
  readonly parent: number;
  /** Unix time in seconds; null where nobody said. */
  readonly blockTime: number | null;
}

/** What is known of a slot once slots beyond it are final. `unknown`: the chain of blocks that was told has a hole there. */
export type SlotFate = 'open' | 'final' | 'gone' | 'unknown';

/** Slots that are remembered after they became final. */
const KEPT_SLOTS = 2_000;

/**
 * Blocks, and which of them are final: a final slot makes its parents final, so what lies between them was skipped or taken by a
 * fork.
 */
export class SlotBook {
  readonly #blocks = new Map<number, KnownBlock>();
  readonly #final = new Set<number>();
  /** Fates are known from here on: nothing before it was told. */
  #from: number | null = null;
  #finalized = -1;

  /** The newest slot that was told to be final; -1 before one was. */
  get finalized(): number {
    return this.#finalized;
  }

  noteBlock(block: KnownBlock): void {
    this.#blocks.set(block.slot, block);
  }

  /** Unix time of a slot's block; null where it is not known. */
  blockTime(slot: number): number | null {
    return this.#blocks.get(slot)?.blockTime ?? null;
  }

  hasBlock(slot: number): boolean {
    return this.#blocks.has(slot);
  }

  forget(slot: number): void {
    this.#blocks.delete(slot);
  }

  noteFinal(slot: number): void {
    let at: number | undefined = slot;
    let lowest = slot;
    while (at !== undefined && !this.#final.has(at)) {
      this.#final.add(at);
      lowest = at;
      at = this.#blocks.get(at)?.parent;
    }
    // A hole: nothing is known of what lies before the oldest block of this chain.
    if (at === undefined) this.#from = Math.max(this.#from ?? 0, lowest);
    this.#finalized = Math.max(this.#finalized, slot);
    this.#prune();
  }

  fateOf(slot: number): SlotFate {
    if (slot > this.#finalized) return 'open';
    if (this.#final.has(slot)) return 'final';
    return this.#from !== null && slot >= this.#from ? 'gone' : 'unknown';
  }

  #prune(): void {
    for (const slot of this.#final) if (slot < this.#finalized - KEPT_SLOTS) this.#final.delete(slot);
    for (const slot of this.#blocks.keys()) if (slot < this.#finalized - KEPT_SLOTS) this.#blocks.delete(slot);
    const oldest = this.#finalized - KEPT_SLOTS;
    if (this.#from !== null && this.#from < oldest) this.#from = oldest;
  }
}
