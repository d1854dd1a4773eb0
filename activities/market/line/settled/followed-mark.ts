/** The slot up to which everything is settled and stored: a restarted stream begins after it. */
export class FollowedMark {
  #slot = -1;
  #unwritten: number | null = null;

  /** -1 if unknown. */
  get slot(): number {
    return this.#slot;
  }

  /** The slot to record, with the next settlement or by itself; null: none. */
  get unwritten(): number | null {
    return this.#unwritten;
  }

  resume(slot: number | null): void {
    this.#slot = slot ?? -1;
  }

  advance(slot: number): void {
    if (slot > this.#slot) this.#slot = this.#unwritten = slot;
  }

  noteWritten(): void {
    this.#unwritten = null;
  }
}
