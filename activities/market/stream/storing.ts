import * as marketStream from '../../../db/market/market-stream.ts';
import { saveStandings } from '../figures.ts';
import { reportUnread } from '../follow-tip.ts';
import { highest } from './extremes.ts';
import { type FollowedPool, keyOf, noteStanding } from './followed-pools.ts';
import type { Following } from './following.ts';
import { priceTails } from './pricing.ts';
import type { SeenAccount } from './stream-ear.ts';

/** Stores what was taken in, so that it shows; a fork can still take it back. */
export class Storing {
  readonly #following: Following;

  #allReadAt = Number.NEGATIVE_INFINITY;

  constructor(following: Following) {
    this.#following = following;
  }

  /** When it was last said that somebody had read every pool, ms. */
  get allReadAt(): number {
    return this.#allReadAt;
  }

  /** Stores what is new of all pools. Answers whether there was something. */
  async store(): Promise<boolean> {
    const { deps, ear, pools, prices } = this.#following;
    const seen = ear.takeSeen();
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
    const rows = await priceTails(this.#following, dirty);
    const changes = changesOf(dirty, seen);
    const stored = new Set(changes.map(({ pool }) => pool));
    const others = new Map([...seen].filter(([pool]) => !stored.has(pool)));
    if (others.size > 0) await this.#noteSeen(others);
    for (const { pool, slot } of changes) pools.noteChanged(pool, slot);
    const begun = performance.now();
    const { written, hasUnread } = await marketStream.storeTails(deps.db, changes, rows);
    if (hasUnread === false) this.#allReadAt = begun;
    deps.meters.swapsStored(written);
    await this.#saveFigures(dirty);
    for (const pool of dirty) pool.isDirty = false;
    return true;
  }

  /** Pool accounts that changed without a transaction of their vaults that is known yet. */
  async #noteSeen(seen: ReadonlyMap<string, SeenAccount>): Promise<void> {
    const { deps, pools } = this.#following;
    const changes = [...seen].map(([pool, { slot, hash }]) => ({ pool, slot, seen: hash }));
    await pools.load([...seen.keys()]);
    for (const { pool, slot } of changes) pools.noteChanged(pool, slot);
    await marketStream.storeTails(deps.db, changes, []);
  }

  async #saveFigures(dirty: readonly FollowedPool[]): Promise<void> {
    const { deps, pools, prices } = this.#following;
    const standings = dirty.flatMap((pool) => pools.standingOf(pool) ?? []);
    await saveStandings(deps, standings, prices.now);
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
    // Rounds that go by change must see one at once, also where the account is told of a moment later.
    const seenAs = look === undefined ? `traded in slot ${slot}` : look.hash;
    return [{ pool: cursor.pool, slot: Math.max(slot, look?.slot ?? 0), seen: seenAs }];
  });
}
