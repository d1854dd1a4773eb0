import { KnownTransactions } from '../../chain/market/known-transactions.ts';
import type { HistoryEntry } from '../../chain/rpc/history.ts';
import type { IndexedPool } from '../../db/market/pool-cursors.ts';

export interface QuietRound {
  /** Pool after which the next part begins; empty: from the start. */
  after: string;
  /** Number of pools that were postponed until they fill a call. */
  owed: number;
}

export interface SettlePace {
  /** Time of the last settlement, monotonic clock, ms. */
  at: number;
}

export interface PollMemory {
  readonly round: QuietRound;
  readonly known: KnownTransactions;
  readonly listings: Listings;
  readonly pace: SettlePace;
}

export function createPollMemory(): PollMemory {
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
  /** Slot of the oldest unsettled entry, which may not be in `entries`. */
  readonly oldestSlot: number | null;
}

interface KeptListing extends Listing {
  /** See `stateOf`. */
  readonly state: string;
  /** Newest signature of the last up-to-date listing. */
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
    this.#kept.set(cursor.pool, { ...listing, state: stateOf(cursor), before, isUpToDate });
  }

  /**
   * True if the listing explains the account's change. Endpoints may list a transaction later than accounts show it, so
   * a listing without a new entry does not count.
   */
  isUpToDate(cursor: IndexedPool): boolean {
    const kept = this.#kept.get(cursor.pool);
    return kept?.isUpToDate === true && kept.state === stateOf(cursor);
  }

  /** Returns entries after the cursor; null if the listing begins later than that. */
  beyondCursor({ pool, finalizedSlot }: IndexedPool): readonly HistoryEntry[] | null {
    const kept = this.#kept.get(pool);
    if (!kept || kept.afterSlot > finalizedSlot) return null;
    return kept.entries.filter(({ slot }) => slot > finalizedSlot);
  }

  /** Returns the slot of the oldest unsettled entry; null if none is known. */
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

/** Identifies the account's state, by hash and slot: after a fork the hash alone may repeat. */
function stateOf({ seen, changedSlot }: IndexedPool): string {
  return `${seen}/${changedSlot}`;
}
