import * as heldAccounts from '../../../../db/held-accounts.ts';
import * as marketStream from '../../../../db/market/market-stream.ts';
import type { NewSwap } from '../../../../db/market/swaps.ts';
import { saveStandings, WINDOW_MS } from '../../figures.ts';
import { reportUnread } from '../../follow-tip.ts';
import { highest } from '../extremes.ts';
import { standingOf } from '../figures/chain-figures.ts';
import { KeptWindows } from '../figures/kept-windows.ts';
import { type FollowedPool, isUnstored } from '../followed-pools.ts';
import type { Line } from '../line.ts';
import type { SeenAccount } from '../observed/seen-pools.ts';
import { priceTails } from './pricing.ts';

const MOST_WINDOWS = 20_000;

/** Stores unsettled swaps as provisional rows, one statement for all pools, and saves their figures. */
export class Storing {
  readonly #line: Line;
  readonly #windows = new KeptWindows(MOST_WINDOWS);
  #allReadAt = Number.NEGATIVE_INFINITY;

  constructor(line: Line) {
    this.#line = line;
  }

  /** When the database last reported that there are no new pools, ms. */
  get allReadAt(): number {
    return this.#allReadAt;
  }

  async store(): Promise<boolean> {
    const { deps, observing, pools, prices } = this.#line;
    await heldAccounts.note(deps.db, observing.held.take());
    const seen = observing.seen.take(observing.blocks.tip);
    const unstored = pools.all().filter(isUnstored);
    if (unstored.length === 0) {
      if (seen.size > 0) await this.#noteSeen(seen);
      return seen.size > 0;
    }
    const versions = unstored.map(({ ordered }) => ordered.version);
    prices.want(unstored.map(({ written }) => written.cursor.quoteMint));
    await pools.ensureSupplies(unstored);
    for (const { ordered, rows, written } of unstored) {
      const fresh = ordered.tail.steps.filter((step) => !rows.has(step));
      reportUnread(deps, written.cursor, fresh);
    }
    const rows = await priceTails(this.#line, unstored);
    await this.#storeRows(changesOf(unstored, seen), seen, rows);
    await this.#saveFigures(unstored);
    for (const [index, { written }] of unstored.entries()) written.noteStored(versions[index]!);
    return true;
  }

  async #storeRows(
    changes: readonly marketStream.PoolChange[],
    seen: ReadonlyMap<string, SeenAccount>,
    rows: readonly NewSwap[],
  ): Promise<void> {
    const { deps, pools } = this.#line;
    const changed = new Set(changes.map(({ pool }) => pool));
    const others = new Map([...seen].filter(([pool]) => !changed.has(pool)));
    if (others.size > 0) await this.#noteSeen(others);
    for (const { pool, slot } of changes) pools.noteChanged(pool, slot);
    const begun = this.#line.now();
    const { pools: tails, hasUnread } = await marketStream.storeTails(deps.db, changes, rows);
    if (hasUnread === false) this.#allReadAt = begun;
    deps.meters.swapsStored(tails.reduce((sum, { written }) => sum + written, 0));
    this.#extendWindows(tails, rows);
  }

  #extendWindows(tails: readonly marketStream.StoredTail[], rows: readonly NewSwap[]): void {
    const { deps, pools } = this.#line;
    const since = new Date(deps.now().getTime() - WINDOW_MS);
    const given = Map.groupBy(rows, ({ pool }) => pool);
    for (const tail of tails) {
      const pool = pools.get(tail.pool);
      if (pool) this.#windows.extend(pool.written.cursor.mint, tail, given.get(tail.pool) ?? [], since);
    }
  }

  async #noteSeen(seen: ReadonlyMap<string, SeenAccount>): Promise<void> {
    const { deps, pools } = this.#line;
    const changes = [...seen].map(([pool, { slot, hash }]) => ({ pool, slot, seen: hash }));
    await pools.load([...seen.keys()]);
    for (const { pool, slot } of changes) pools.noteChanged(pool, slot);
    await marketStream.storeTails(deps.db, changes, []);
  }

  async #saveFigures(stored: readonly FollowedPool[]): Promise<void> {
    const { deps, pools, prices } = this.#line;
    const standings = stored.flatMap((pool) => standingOf(pool, pools.supplyOf(pool)) ?? []);
    await saveStandings(deps, standings, prices.now, this.#windows);
    for (const standing of standings) pools.get(standing.cursor.pool)?.written.noteStanding(standing);
  }
}

function changesOf(
  unstored: readonly FollowedPool[],
  seen: ReadonlyMap<string, SeenAccount>,
): marketStream.PoolChange[] {
  return unstored.flatMap(({ address, ordered }) => {
    const slot = highest(ordered.tail.steps.map((step) => step.slot));
    if (slot === null) return [];
    const account = seen.get(address);
    // Rounds that follow changes must see the pool at once, even if its account arrives later.
    const seenAs = account === undefined ? `traded in slot ${slot}` : account.hash;
    return [{ pool: address, slot: Math.max(slot, account?.slot ?? 0), seen: seenAs }];
  });
}
