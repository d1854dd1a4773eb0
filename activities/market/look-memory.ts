import { KnownTransactions } from '../../chain/market/known-transactions.ts';
import type { HistoryEntry } from '../../chain/rpc/history.ts';
import type { IndexedPool } from '../../db/market/pool-cursors.ts';

export interface QuietRound {
  /** Empty to start over. */
  after: string;
  /** Postponed until they fill a call. */
  owed: number;
}

export interface SettlePace {
  /** Monotonic clock, ms. */
  at: number;
}

export interface LookMemory {
  readonly round: QuietRound;
  readonly known: KnownTransactions;
  readonly listings: Listings;
  readonly pace: SettlePace;
}

export function createLookMemory(): LookMemory {
  return {
    round: { after: '', owed: 0 },
    known: new KnownTransactions(),
    listings: new Listings(),
    pace: { at: Number.NEGATIVE_INFINITY },
  };
}

/** A confirmed listing by one endpoint. */
export interface Listing {
  readonly afterSlot: bigint;
  /** Newest first. */
  readonly entries: readonly HistoryEntry[];
  /** Of the oldest unsettled entry, possibly outside `entries`. */
  readonly oldestSlot: number | null;
}

interface KeptListing extends Listing {
  /** See `lookOf`. */
  readonly look: string;
  /** Of the last up-to-date listing. */
  readonly before: string | undefined;
  readonly isUpToDate: boolean;
}

export class Listings {
  readonly #kept = new Map<string, KeptListing>();

  /** @param isComplete the listing claims to reach the current state, and all of it was readable */
  keep(cursor: IndexedPool, listing: Listing, isComplete: boolean): void {
    const last = this.#kept.get(cursor.pool);
    const before = last?.isUpToDate === true ? newestOf(last) : last?.before;
    const newest = newestOf(listing);
    const isUpToDate = isComplete && newest !== undefined && newest !== before;
    this.#kept.set(cursor.pool, { ...listing, look: lookOf(cursor), before, isUpToDate });
  }

  /**
   * The listing explains the account's change. Endpoints may list a transaction later than accounts show it: a listing
   * without news does not count.
   */
  isUpToDate(cursor: IndexedPool): boolean {
    const kept = this.#kept.get(cursor.pool);
    return kept?.isUpToDate === true && kept.look === lookOf(cursor);
  }

  /** Null if it starts beyond the cursor. */
  beyondCursor({ pool, finalizedSlot }: IndexedPool): readonly HistoryEntry[] | null {
    const kept = this.#kept.get(pool);
    if (!kept || kept.afterSlot > finalizedSlot) return null;
    return kept.entries.filter(({ slot }) => slot > finalizedSlot);
  }

  /** Null if none is known. */
  oldestOpen(cursor: IndexedPool): number | null {
    const open = this.beyondCursor(cursor);
    return (open ? open.at(-1)?.slot : this.#kept.get(cursor.pool)?.oldestSlot) ?? null;
  }

  keepOnly(pools: readonly IndexedPool[]): void {
    const open = new Set(pools.map(({ pool }) => pool));
    for (const pool of this.#kept.keys()) if (!open.has(pool)) this.#kept.delete(pool);
  }
}

/** Returns the newest successful transaction: failed ones change nothing. */
function newestOf({ entries }: Listing): string | undefined {
  return entries.find(({ err }) => err === null)?.signature;
}

/** Includes the slot: after a fork the hash alone may repeat. */
function lookOf({ seen, changedSlot }: IndexedPool): string {
  return `${seen}/${changedSlot}`;
}
