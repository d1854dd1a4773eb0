import * as swaps from '../../../../db/market/swaps.ts';
import { withdrawnOf } from '../../follow-tip.ts';
import { highest } from '../extremes.ts';
import { saveByRpc } from '../figures/chain-figures.ts';
import type { FollowedPool } from '../followed-pools.ts';
import type { Line } from '../line.ts';

/** Takes out of the order, and of the database, what forks removed. */
export class Forks {
  readonly #line: Line;
  /** Pools with removed swaps, and the newest removed slot of each. */
  readonly #outdated = new Map<string, number>();

  constructor(line: Line) {
    this.#line = line;
  }

  async follow(): Promise<void> {
    const { observing, pools } = this.#line;
    const { blocks } = observing;
    const dead = blocks.takeDead();
    const isGone = (slot: number): boolean => dead.has(slot) || blocks.fateOf(slot) === 'gone';
    for (const pool of pools.all()) await this.#drop(pool, isGone);
    await this.#saveOutdated();
  }

  async #drop(pool: FollowedPool, isGone: (slot: number) => boolean): Promise<void> {
    const { deps, rereads } = this.#line;
    const { address, ordered, rows, written } = pool;
    const steps = ordered.drop(isGone);
    const stored = rows.drop(steps, isGone);
    const slot = highest([...stored, ...steps].map((one) => Number(one.slot)));
    if (slot === null) return;
    const withdrawn = await withdrawnOf(deps, stored, []);
    const outcome = await swaps.storeProvisional(deps.db, address, [], withdrawn);
    deps.meters.swapsWithdrawn(outcome.withdrawn);
    written.forgetPrice();
    this.#outdated.set(address, slot);
    rereads.noteLinks(pool);
  }

  /** Saves outdated pools by RPC once the source has passed the removed slot. */
  async #saveOutdated(): Promise<void> {
    const { observing, pools } = this.#line;
    for (const [address, slot] of this.#outdated) {
      if (observing.blocks.tip <= slot) continue;
      const pool = pools.get(address);
      if (pool === undefined || (await saveByRpc(this.#line, pool, slot))) this.#outdated.delete(address);
    }
  }
}
