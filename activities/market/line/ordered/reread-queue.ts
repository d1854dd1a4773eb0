import type { FollowedPool, FollowedPools } from '../followed-pools.ts';

/** Time allowed for late transactions, ms. */
const LATE_MS = 200;
/** First pause, doubled after each failure, ms. */
const FIRST_PAUSE_MS = 300;
const LONGEST_PAUSE_MS = 30_000;

interface Attempts {
  readonly count: number;
  /** ms. */
  readonly nextAt: number;
}

const NONE: Attempts = { count: 0, nextAt: 0 };

/** Pools whose history must be read by RPC: this stage closes every gap of a source. */
export class RereadQueue {
  readonly #pools: FollowedPools;
  readonly #now: () => number;
  /** The slot that the reading must reach, by pool. */
  readonly #broken = new Map<string, number>();
  /** Since when the pool's transactions do not link, ms. */
  readonly #looseSince = new Map<string, number>();
  readonly #attempts = new Map<string, Attempts>();

  /** @param now monotonic clock, ms */
  constructor(pools: FollowedPools, now: () => number) {
    this.#pools = pools;
    this.#now = now;
  }

  require(address: string, upTo: number): void {
    if (!this.#pools.get(address)) return;
    if (upTo > 0 && !this.#broken.has(address)) this.#attempts.delete(address);
    this.#broken.set(address, Math.max(this.#broken.get(address) ?? 0, upTo));
  }

  async requireChanged(pools: readonly string[], upTo = 0): Promise<void> {
    await this.#pools.load(pools);
    for (const pool of pools) {
      this.require(pool, upTo);
      this.#pools.noteChanged(pool, upTo);
    }
  }

  /** Returns the slot that a reading must reach; null if the pool is not queued. */
  requiredSlotOf(pool: string): number | null {
    return this.#broken.get(pool) ?? null;
  }

  done(pool: string): void {
    this.#broken.delete(pool);
  }

  /** Notes whether the pool's transactions link. If they do not for `LATE_MS`, `due` queues the pool. */
  noteLinks({ address, ordered: { tail } }: FollowedPool): void {
    if (tail.loose.length === 0) this.#looseSince.delete(address);
    else if (!this.#looseSince.has(address)) this.#looseSince.set(address, this.#now());
  }

  /** Returns pools to read now: queued ones, and those whose transactions have not linked for `LATE_MS`. */
  due(): FollowedPool[] {
    const now = this.#now();
    for (const [pool, since] of this.#looseSince) {
      if ((this.#pools.get(pool)?.ordered.tail.loose.length ?? 0) === 0) this.#looseSince.delete(pool);
      else if (since < now - LATE_MS) this.require(pool, 0);
    }
    const due = [...this.#broken.keys()].filter((pool) => (this.#attempts.get(pool) ?? NONE).nextAt <= now);
    return due.flatMap((address) => this.#pools.get(address) ?? []);
  }

  /** Returns how many attempts failed before this one. */
  attempt(pool: string): number {
    const { count } = this.#attempts.get(pool) ?? NONE;
    const nextAt = this.#now() + Math.min(FIRST_PAUSE_MS * 2 ** count, LONGEST_PAUSE_MS);
    this.#attempts.set(pool, { count: count + 1, nextAt });
    return count;
  }

  /** Counts attempts from none again; the pause before the next one stays. */
  noteRead(pool: string): void {
    this.#attempts.set(pool, { ...(this.#attempts.get(pool) ?? NONE), count: 0 });
  }

  noteSettled(pool: string): void {
    this.#attempts.delete(pool);
  }
}
