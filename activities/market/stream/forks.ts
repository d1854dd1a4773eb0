import * as swaps from '../../../db/market/swaps.ts';
import { withdrawnOf } from '../follow-tip.ts';
import { saveByRpc } from './chain-figures.ts';
import { highest } from './extremes.ts';
import { asRecords, type FollowedPool, keyOf, type PoolStep } from './followed-pools.ts';
import type { FollowState } from './follow-state.ts';

export class Forks {
  readonly #state: FollowState;
  /** Pools with removed swaps, and the newest removed slot of each. */
  readonly #outdated = new Map<string, number>();

  constructor(state: FollowState) {
    this.#state = state;
  }

  async follow(): Promise<void> {
    const { buffer, pools } = this.#state;
    const dead = buffer.takeDead();
    const isGone = (slot: number): boolean => dead.has(slot) || buffer.book.fateOf(slot) === 'gone';
    for (const pool of pools.all()) {
      if (pool.tail.isEmpty && pool.inherited.size === 0) continue;
      const dropped = pool.tail.drop(({ slot }) => isGone(slot));
      const lost = [...pool.inherited.values()].flat().filter(({ slot }) => isGone(Number(slot)));
      if (dropped.length + lost.length > 0) await this.#withdraw(pool, dropped, lost);
    }
    await this.#saveOutdated();
  }

  async #withdraw(pool: FollowedPool, dropped: readonly PoolStep[], lost: readonly swaps.SwapRecord[]): Promise<void> {
    const { deps, rereads } = this.#state;
    const { cursor, rows, inherited } = pool;
    const stored = [...lost, ...dropped.flatMap((step) => rows.get(keyOf(step)) ?? [])];
    for (const step of dropped) rows.delete(keyOf(step));
    for (const { signature } of lost) inherited.delete(signature);
    const withdrawn = await withdrawnOf(deps, asRecords(stored), []);
    const outcome = await swaps.storeProvisional(deps.db, cursor.pool, [], withdrawn);
    deps.meters.swapsWithdrawn(outcome.withdrawn);
    // The price includes the removed swaps.
    pool.cursor = { ...cursor, priceQuote: null };
    const slot = highest([...stored.map((row) => Number(row.slot)), ...dropped.map((step) => step.slot)]);
    if (slot !== null) this.#outdated.set(cursor.pool, slot);
    rereads.noteLinks(pool);
  }

  /** Saves outdated pools by RPC once the stream has passed the removed slot. */
  async #saveOutdated(): Promise<void> {
    const { buffer, pools } = this.#state;
    for (const [address, slot] of this.#outdated) {
      if (buffer.tip <= slot) continue;
      const pool = pools.get(address);
      if (pool === undefined || (await saveByRpc(this.#state, pool, slot))) this.#outdated.delete(address);
    }
  }
}
