/** Notes that the source may have lost data: until all pools were compared with the chain, nothing settles. */
export class Hole {
  #doubted: Set<string> | null = null;
  #compared = -1;

  /** False while trades may be missing that no comparison has covered. */
  get isWhole(): boolean {
    return this.#doubted === null;
  }

  /** Pools that were unsettled at the hole or changed since: their current state does not reveal what happened. */
  get doubted(): readonly string[] {
    return [...(this.#doubted ?? [])];
  }

  open(pools: Iterable<string>): void {
    this.#doubted = new Set([...(this.#doubted ?? []), ...pools]);
  }

  touch(pool: string): void {
    this.#doubted?.add(pool);
  }

  /** The finalized slot at which all pools were compared last; -1 before. */
  get compared(): number {
    return this.#compared;
  }

  noteCompared(slot: number): void {
    this.#compared = Math.max(this.#compared, slot);
  }

  close(): void {
    this.#doubted = null;
  }
}
