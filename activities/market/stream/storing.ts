import * as heldAccounts from '../../../db/held-accounts.ts';
import * as marketStream from '../../../db/market/market-stream.ts';
import type { NewSwap } from '../../../db/market/swaps.ts';
import { saveStandings, WINDOW_MS } from '../figures.ts';
import { reportUnread } from '../follow-tip.ts';
import { highest } from './extremes.ts';
import { type FollowedPool, keyOf, noteStanding } from './followed-pools.ts';
import type { FollowState } from './follow-state.ts';
import { KeptWindows } from './kept-windows.ts';
import { priceTails } from './pricing.ts';
import type { SeenAccount } from './stream-buffer.ts';

const MOST_WINDOWS = 20_000;

export class Storing {
  readonly #state: FollowState;
  readonly #windows = new KeptWindows(MOST_WINDOWS);

  #allReadAt = Number.NEGATIVE_INFINITY;

  constructor(state: FollowState) {
    this.#state = state;
  }

  /** When the database last reported that there are no new pools, ms. */
  get allReadAt(): number {
    return this.#allReadAt;
  }

  async store(): Promise<boolean> {
    const { deps, buffer, pools, prices } = this.#state;
    await heldAccounts.note(deps.db, buffer.takeAccounts());
    const seen = buffer.takeSeen();
    const dirty = pools.all().filter(({ isDirty }) => isDirty);
    if (dirty.length === 0) {
      if (seen.size > 0) await this.#noteSeen(seen);
      return seen.size > 0;
    }
    prices.want(dirty.map(({ cursor }) => cursor.quoteMint));
    await pools.ensureSupplies(dirty);
    for (const { cursor, tail, rows } of dirty) {
      const fresh = tail.steps.filter((step) => !rows.has(keyOf(step)));
      reportUnread(deps, cursor, fresh);
    }
    const rows = await priceTails(this.#state, dirty);
    const changes = changesOf(dirty, seen);
    const stored = new Set(changes.map(({ pool }) => pool));
    const others = new Map([...seen].filter(([pool]) => !stored.has(pool)));
    if (others.size > 0) await this.#noteSeen(others);
    for (const { pool, slot } of changes) pools.noteChanged(pool, slot);
    const begun = performance.now();
    const { pools: tails, hasUnread } = await marketStream.storeTails(deps.db, changes, rows);
    if (hasUnread === false) this.#allReadAt = begun;
    deps.meters.swapsStored(tails.reduce((sum, { written }) => sum + written, 0));
    this.#extendWindows(tails, rows);
    await this.#saveFigures(dirty);
    for (const pool of dirty) pool.isDirty = false;
    return true;
  }

  #extendWindows(tails: readonly marketStream.StoredTail[], rows: readonly NewSwap[]): void {
    const { deps, pools } = this.#state;
    const since = new Date(deps.now().getTime() - WINDOW_MS);
    const given = Map.groupBy(rows, ({ pool }) => pool);
    for (const tail of tails) {
      const pool = pools.get(tail.pool);
      if (pool) this.#windows.extend(pool.cursor.mint, tail, given.get(tail.pool) ?? [], since);
    }
  }

  async #noteSeen(seen: ReadonlyMap<string, SeenAccount>): Promise<void> {
    const { deps, pools } = this.#state;
    const changes = [...seen].map(([pool, { slot, hash }]) => ({ pool, slot, seen: hash }));
    await pools.load([...seen.keys()]);
    for (const { pool, slot } of changes) pools.noteChanged(pool, slot);
    await marketStream.storeTails(deps.db, changes, []);
  }

  async #saveFigures(dirty: readonly FollowedPool[]): Promise<void> {
    const { deps, pools, prices } = this.#state;
    const standings = dirty.flatMap((pool) => pools.standingOf(pool) ?? []);
    await saveStandings(deps, standings, prices.now, this.#windows);
    for (const standing of standings) {
      const pool = pools.get(standing.cursor.pool);
      if (pool) noteStanding(pool, standing);
    }
  }
}

function changesOf(dirty: readonly FollowedPool[], seen: ReadonlyMap<string, SeenAccount>): marketStream.PoolChange[] {
  return dirty.flatMap(({ cursor, tail }) => {
    const slot = highest(tail.steps.map((step) => step.slot));
    if (slot === null) return [];
    const look = seen.get(cursor.pool);
    // Rounds that follow changes must see the pool at once, even if its account arrives later.
    const seenAs = look === undefined ? `traded in slot ${slot}` : look.hash;
    return [{ pool: cursor.pool, slot: Math.max(slot, look?.slot ?? 0), seen: seenAs }];
  });
}
