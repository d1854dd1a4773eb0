/** Notes that the source may have lost data: until all pools were compared with the chain, nothing settles. */
export class Hole {
  #doubted: Set<string> | null = null;

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

  close(): void {
    this.#doubted = null;
  }
}
