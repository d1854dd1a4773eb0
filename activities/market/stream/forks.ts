import * as swaps from '../../../db/market/swaps.ts';
import { withdrawnOf } from '../follow-tip.ts';
import { saveByRpc } from './chain-figures.ts';
import { highest } from './extremes.ts';
import { asRecords, type FollowedPool, keyOf, type PoolStep } from './followed-pools.ts';
import type { Following } from './following.ts';

/** Gives up what a fork took. */
export class Forks {
  readonly #following: Following;
  /** Pools whose figures a fork made old, each with the slot that they were saved of. */
  readonly #outdated = new Map<string, number>();

  constructor(following: Following) {
    this.#following = following;
  }

  /** Gives up what lay in slots that died, and what finality passed over, and computes figures anew. */
  async follow(): Promise<void> {
    const { ear, pools } = this.#following;
    const dead = ear.takeDead();
    const isGone = (slot: number): boolean => dead.has(slot) || ear.book.fateOf(slot) === 'gone';
    for (const pool of pools.all()) {
      if (pool.tail.isEmpty && pool.inherited.size === 0) continue;
      const dropped = pool.tail.drop(({ slot }) => isGone(slot));
      const lost = [...pool.inherited.values()].flat().filter(({ slot }) => isGone(Number(slot)));
      if (dropped.length + lost.length > 0) await this.#withdraw(pool, dropped, lost);
    }
    await this.#saveOutdated();
  }

  async #withdraw(pool: FollowedPool, dropped: readonly PoolStep[], lost: readonly swaps.SwapRecord[]): Promise<void> {
    const { deps, doubts } = this.#following;
    const { cursor, rows, inherited } = pool;
    const stored = [...lost, ...dropped.flatMap((step) => rows.get(keyOf(step)) ?? [])];
    for (const step of dropped) rows.delete(keyOf(step));
    for (const { signature } of lost) inherited.delete(signature);
    const withdrawn = await withdrawnOf(deps, asRecords(stored), []);
    const outcome = await swaps.storeProvisional(deps.db, cursor.pool, [], withdrawn);
    deps.meters.swapsWithdrawn(outcome.withdrawn);
    // What the figures have of it is not so any more.
    pool.cursor = { ...cursor, priceQuote: null };
    const slot = highest([...stored.map((row) => Number(row.slot)), ...dropped.map((step) => step.slot)]);
    if (slot !== null) this.#outdated.set(cursor.pool, slot);
    doubts.noteLinks(pool);
  }

  /** Figures of pools that a fork took something from, once RPC has come as far as they were saved. */
  async #saveOutdated(): Promise<void> {
    const { ear, pools } = this.#following;
    for (const [address, slot] of this.#outdated) {
      if (ear.tip <= slot) continue;
      const pool = pools.get(address);
      if (pool === undefined || (await saveByRpc(this.#following, pool, slot))) this.#outdated.delete(address);
    }
  }
}
