import type { StreamWanted } from '../../../../chain/stream/chain-stream.ts';
import type { Db } from '../../../../db/connect.ts';
import * as marketStream from '../../../../db/market/market-stream.ts';
import type { StreamedPool } from '../../../../db/market/market-stream.ts';

const PAGE = 5_000;

export class WatchList {
  readonly #byPool = new Map<string, StreamedPool>();
  readonly #byVault = new Map<string, string>();
  readonly #byMint = new Map<string, string>();
  readonly #rewardMints = new Set<string>();

  static async load(db: Db): Promise<WatchList> {
    const list = new WatchList();
    for (let after = ''; ;) {
      const page = await marketStream.pools(db, after, PAGE);
      for (const pool of page) list.add(pool);
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE) return list;
      after = last.pool;
    }
  }

  add(pool: StreamedPool): void {
    this.#byPool.set(pool.pool, pool);
    this.#byVault.set(pool.baseVault, pool.pool);
    this.#byMint.set(pool.mint, pool.pool);
    if (pool.isReward) this.#rewardMints.add(pool.mint);
  }

  /**
   * Returns what to subscribe to:
   *
   * - transactions that name a base vault: swaps
   * - transactions that name a taxed mint: transfers
   * - accounts of pools: they show that a swap was missed
   * - accounts of mints: the supply
   */
  wanted(): StreamWanted {
    return {
      mentioned: [...this.#byVault.keys(), ...this.#rewardMints],
      accounts: [...this.#byPool.keys(), ...this.#byMint.keys()],
    };
  }

  get size(): number {
    return this.#byPool.size;
  }

  all(): StreamedPool[] {
    return [...this.#byPool.values()];
  }

  has(pool: string): boolean {
    return this.#byPool.has(pool);
  }

  poolOfVault(address: string): string | undefined {
    return this.#byVault.get(address);
  }

  isMint(address: string): boolean {
    return this.#byMint.has(address);
  }

  isRewardMint(address: string): boolean {
    return this.#rewardMints.has(address);
  }
}
