import { type FollowedPool, type FollowedPools, isOpen } from './followed-pools.ts';

/** What does not link may only be late, ms. */
const LATE_MS = 200;
/** A pool that is asked for from now on is told of after so many slots at the latest. */
const ASKED_WITHIN_SLOTS = 16;

/** Of which pools the stream's word is not enough, so that their histories are read by RPC. */
export class DoubtBook {
  readonly #pools: FollowedPools;
  readonly #now: () => number;
  /** Pools whose history is to be read, each with the slot up to which. */
  readonly #broken = new Map<string, number>();
  /** Pools with transactions that do not link, since when (ms). */
  readonly #looseSince = new Map<string, number>();
  /** Pools that were not settled when the stream was found to have a hole. */
  readonly #doubted = new Set<string>();
  /** Pools to read once more when the stream has come to a slot. */
  #later: { readonly slot: number; readonly pools: readonly string[] }[] = [];
  #isWhole = true;

  /** @param now ms, of any clock that only goes on */
  constructor(pools: FollowedPools, now: () => number) {
    this.#pools = pools;
    this.#now = now;
  }

  /** False while there may be trades that nobody told of and nobody has looked for yet. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** Has the history of a followed pool read up to a slot at least. */
  doubt(address: string, upTo: number): void {
    const pool = this.#pools.get(address);
    if (!pool) return;
    if (upTo > 0 && !this.#broken.has(address)) Object.assign(pool, { attempts: 0, nextAttempt: 0 });
    this.#broken.set(address, Math.max(this.#broken.get(address) ?? 0, upTo));
  }

  /** Has the histories of these pools read up to a slot at least, whatever the stream tells. */
  async distrust(pools: readonly string[], upTo = 0): Promise<void> {
    await this.#pools.load(pools);
    for (const pool of pools) {
      this.doubt(pool, upTo);
      this.#pools.noteChanged(pool, upTo);
    }
  }

  /** Has them read again when a stream that has come to `tip` must be telling of them. */
  distrustLater(pools: readonly string[], tip: number): void {
    this.#later.push({ slot: tip + ASKED_WITHIN_SLOTS, pools });
  }

  /** Doubts those whose time has come, now that the stream has come to `tip`. */
  async doubtDue(tip: number): Promise<void> {
    const due = this.#later.filter(({ slot }) => slot <= tip);
    if (due.length === 0) return;
    this.#later = this.#later.filter(({ slot }) => slot > tip);
    for (const { slot, pools } of due) {
      await this.#pools.load(pools);
      for (const pool of pools) this.doubt(pool, slot);
    }
  }

  isDoubted(pool: string): boolean {
    return this.#broken.has(pool);
  }

  /** The slot up to which its history is to be read at least. */
  upToOf(pool: string): number {
    return this.#broken.get(pool) ?? 0;
  }

  /** Its history was read. */
  trust(pool: string): void {
    this.#broken.delete(pool);
  }

  /** What does not link may come yet: it is doubted a moment later. */
  noteLinks({ cursor: { pool }, tail }: FollowedPool): void {
    if (tail.loose.length === 0) this.#looseSince.delete(pool);
    else if (!this.#looseSince.has(pool)) this.#looseSince.set(pool, this.#now());
  }

  /** Pools whose histories are to be read, those among them that have not linked for too long. */
  doubted(): FollowedPool[] {
    const late = this.#now() - LATE_MS;
    for (const [pool, since] of this.#looseSince) {
      if ((this.#pools.get(pool)?.tail.loose.length ?? 0) === 0) this.#looseSince.delete(pool);
      else if (since < late) this.doubt(pool, 0);
    }
    return [...this.#broken.keys()].flatMap((address) => this.#pools.get(address) ?? []);
  }

  /** Something may have happened that nobody told of. Until all pools were compared nothing is settled by what the stream tells. */
  noteHole(): void {
    this.#isWhole = false;
    for (const pool of this.#pools.all()) if (isOpen(pool)) this.#doubted.add(pool.cursor.pool);
  }

  /** All pools were compared as of a slot; those that were not settled at the hole, and these, are doubted up to there. */
  async closeHole(touched: readonly string[], comparedSlot: number): Promise<void> {
    await this.distrust([...this.#doubted, ...touched], comparedSlot);
    this.#doubted.clear();
    this.#isWhole = true;
  }
}
