export interface SeenAccount {
  readonly slot: number;
  readonly hash: string | null;
}

/** The newest account of each pool that the source reported and that is not noted in the database. */
export class SeenPools {
  readonly #seen = new Map<string, SeenAccount>();

  get all(): ReadonlyMap<string, SeenAccount> {
    return this.#seen;
  }

  note(pool: string, seen: SeenAccount): void {
    this.#seen.set(pool, seen);
  }

  /** Takes those up to the tip alone: a slot's transactions are taken before its accounts. */
  take(tip: number): ReadonlyMap<string, SeenAccount> {
    const reached = [...this.#seen].filter(([, { slot }]) => slot <= tip);
    for (const [pool] of reached) this.#seen.delete(pool);
    return new Map(reached);
  }
}
