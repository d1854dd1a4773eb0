export interface KnownBlock {
  readonly slot: number;
  readonly parent: number;
  /** Unix seconds. */
  readonly blockTime: number | null;
}

/** `unknown`: a hole in the reported blocks. */
export type SlotFate = 'open' | 'final' | 'gone' | 'unknown';

const KEPT_SLOTS = 2_000;

/** A final slot finalizes its ancestors; those between were skipped or forked away. */
export class SlotBook {
  readonly #blocks = new Map<number, KnownBlock>();
  readonly #final = new Set<number>();
  /** Earlier fates are unknown. */
  #from: number | null = null;
  #finalized = -1;

  /** -1 before the first. */
  get finalized(): number {
    return this.#finalized;
  }

  noteBlock(block: KnownBlock): void {
    this.#blocks.set(block.slot, block);
  }

  /** Unix seconds. */
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
    // A hole: fates before the chain's oldest block are unknown.
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
