import { type FollowedPool, type FollowedPools, isOpen } from './followed-pools.ts';

/** Time allowed for late transactions, ms. */
const LATE_MS = 200;
/** Slots within which a server applies a changed subscription. */
const ASKED_WITHIN_SLOTS = 16;

export class RereadQueue {
  readonly #pools: FollowedPools;
  readonly #now: () => number;
  /** Pools to read again, with the slot that the reading must reach. */
  readonly #broken = new Map<string, number>();
  /** Pools whose transactions do not link, and since when (ms). */
  readonly #looseSince = new Map<string, number>();
  /** Pools that were unsettled when the stream lost data. */
  readonly #unsettledAtHole = new Set<string>();
  /** Pools to queue once the stream reaches the slot. */
  #later: { readonly slot: number; readonly pools: readonly string[] }[] = [];
  #isWhole = true;

  /** @param now monotonic clock, ms */
  constructor(pools: FollowedPools, now: () => number) {
    this.#pools = pools;
    this.#now = now;
  }

  /** False while trades may be missing that no comparison has covered. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  require(address: string, upTo: number): void {
    const pool = this.#pools.get(address);
    if (!pool) return;
    if (upTo > 0 && !this.#broken.has(address)) Object.assign(pool, { attempts: 0, nextAttempt: 0 });
    this.#broken.set(address, Math.max(this.#broken.get(address) ?? 0, upTo));
  }

  async requireChanged(pools: readonly string[], upTo = 0): Promise<void> {
    await this.#pools.load(pools);
    for (const pool of pools) {
      this.require(pool, upTo);
      this.#pools.noteChanged(pool, upTo);
    }
  }

  requireLater(pools: readonly string[], tip: number): void {
    this.#later.push({ slot: tip + ASKED_WITHIN_SLOTS, pools });
  }

  async requireDue(tip: number): Promise<void> {
    const due = this.#later.filter(({ slot }) => slot <= tip);
    if (due.length === 0) return;
    this.#later = this.#later.filter(({ slot }) => slot > tip);
    for (const { slot, pools } of due) {
      await this.#pools.load(pools);
      for (const pool of pools) this.require(pool, slot);
    }
  }

  has(pool: string): boolean {
    return this.#broken.has(pool);
  }

  requiredSlotOf(pool: string): number {
    return this.#broken.get(pool) ?? 0;
  }

  done(pool: string): void {
    this.#broken.delete(pool);
  }

  /** Notes whether the pool's transactions link. If they do not for `LATE_MS`, `due` queues the pool. */
  noteLinks({ cursor: { pool }, tail }: FollowedPool): void {
    if (tail.loose.length === 0) this.#looseSince.delete(pool);
    else if (!this.#looseSince.has(pool)) this.#looseSince.set(pool, this.#now());
  }

  /** Returns the queued pools, and those whose transactions have not linked for `LATE_MS`. */
  due(): FollowedPool[] {
    const late = this.#now() - LATE_MS;
    for (const [pool, since] of this.#looseSince) {
      if ((this.#pools.get(pool)?.tail.loose.length ?? 0) === 0) this.#looseSince.delete(pool);
      else if (since < late) this.require(pool, 0);
    }
    return [...this.#broken.keys()].flatMap((address) => this.#pools.get(address) ?? []);
  }

  /** Notes that the stream lost data: it settles nothing until all pools were compared. */
  noteHole(): void {
    this.#isWhole = false;
    for (const pool of this.#pools.all()) if (isOpen(pool)) this.#unsettledAtHole.add(pool.cursor.pool);
  }

  async closeHole(touched: readonly string[], comparedSlot: number): Promise<void> {
    await this.requireChanged([...this.#unsettledAtHole, ...touched], comparedSlot);
    this.#unsettledAtHole.clear();
    this.#isWhole = true;
  }
}
