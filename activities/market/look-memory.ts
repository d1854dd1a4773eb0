import { KnownTransactions } from '../../chain/market/known-transactions.ts';
import type { HistoryEntry } from '../../chain/rpc/history.ts';
import type { IndexedPool } from '../../db/market/pool-cursors.ts';

/** Which of the quiet pools were looked at last; looks go round among them. */
export interface QuietRound {
  /** The last one's address; empty where the next is the first of all. */
  after: string;
  /** How many more earlier looks should have taken in: they come once they fill a call. */
  owed: number;
}

/** When what is final was settled last. */
export interface SettlePace {
  /** By a clock that only goes on, ms. */
  at: number;
}

/** What looks remember; everything in it can be forgotten. */
export interface LookMemory {
  readonly round: QuietRound;
  readonly known: KnownTransactions;
  readonly listings: Listings;
  readonly pace: SettlePace;
}

/** Of no look yet. */
export function createLookMemory(): LookMemory {
  return {
    round: { after: '', owed: 0 },
    known: new KnownTransactions(),
    listings: new Listings(),
    pace: { at: Number.NEGATIVE_INFINITY },
  };
}

/** What an endpoint listed at `confirmed` of a pool that changed. */
export interface Listing {
  /** All entries of later slots are among these. */
  readonly afterSlot: bigint;
  /** Newest first. */
  readonly entries: readonly HistoryEntry[];
  /** Slot of the oldest that is not settled, among these or not; null where there is none. */
  readonly oldestSlot: number | null;
}

interface KeptListing extends Listing {
  /** How the pool's account looked. */
  readonly look: string;
  /** The newest transaction that an earlier listing was up to date with. */
  readonly before: string | undefined;
  readonly isUpToDate: boolean;
}

/** The last listing of each pool that is not settled. */
export class Listings {
  readonly #kept = new Map<string, KeptListing>();

  /**
   * Keeps what was listed after somebody saw the pool as its cursor has it.
   * @param isComplete whether all of that is in it by what it says, and could be read
   */
  keep(cursor: IndexedPool, listing: Listing, isComplete: boolean): void {
    const last = this.#kept.get(cursor.pool);
    const before = last?.isUpToDate === true ? newestOf(last) : last?.before;
    const newest = newestOf(listing);
    const isUpToDate = isComplete && newest !== undefined && newest !== before;
    this.#kept.set(cursor.pool, { ...listing, look: lookOf(cursor), before, isUpToDate });
  }

  /**
   * Whether what changed a pool's account is among what was listed. An endpoint may list a transaction a moment later than its accounts
   * show it: until a listing has something new, another one is made.
   */
  isUpToDate(cursor: IndexedPool): boolean {
    const kept = this.#kept.get(cursor.pool);
    return kept?.isUpToDate === true && kept.look === lookOf(cursor);
  }

  /** What was listed last of a pool beyond its cursor; null where that does not reach back so far. */
  beyondCursor({ pool, finalizedSlot }: IndexedPool): readonly HistoryEntry[] | null {
    const kept = this.#kept.get(pool);
    if (!kept || kept.afterSlot > finalizedSlot) return null;
    return kept.entries.filter(({ slot }) => slot > finalizedSlot);
  }

  /** Slot of the oldest entry that is not settled; null where none is known. */
  oldestOpen(cursor: IndexedPool): number | null {
    const open = this.beyondCursor(cursor);
    return (open ? open.at(-1)?.slot : this.#kept.get(cursor.pool)?.oldestSlot) ?? null;
  }

  /** Forgets all pools but these. */
  keepOnly(pools: readonly IndexedPool[]): void {
    const open = new Set(pools.map(({ pool }) => pool));
    for (const pool of this.#kept.keys()) if (!open.has(pool)) this.#kept.delete(pool);
  }
}

/** A failed transaction changes nothing. */
function newestOf({ entries }: Listing): string | undefined {
  return entries.find(({ err }) => err === null)?.signature;
}

/** How a pool's account looked, and when: after a fork it may look again as it did before. */
function lookOf({ seen, changedSlot }: IndexedPool): string {
  return `${seen}/${changedSlot}`;
}
