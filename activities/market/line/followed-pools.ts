import { marketPoolOf } from '../../../chain/market/agreed-swap.ts';
import type { MarketPool } from '../../../chain/market/pool-swaps.ts';
import type { Db } from '../../../db/connect.ts';
import * as poolCursors from '../../../db/market/pool-cursors.ts';
import type { IndexedPool } from '../../../db/market/pool-cursors.ts';
import * as swaps from '../../../db/market/swaps.ts';
import type { Supplies } from './observed/supplies.ts';
import { OrderedPool } from './ordered/ordered-pool.ts';
import { PricedRows } from './written/priced-rows.ts';
import { WrittenPool } from './written/written-pool.ts';

/** A pool with unsettled changes, by the stage that holds each part. */
export interface FollowedPool {
  readonly address: string;
  readonly market: MarketPool;
  readonly ordered: OrderedPool;
  readonly rows: PricedRows;
  readonly written: WrittenPool;
}

export function vaultOf({ address: pool, market: { baseVault } }: FollowedPool) {
  return { pool, baseVault };
}

/** True if something of the pool may be final and is not settled. */
export function isDue({ ordered: { tail, changedSlot }, rows: { inherited } }: FollowedPool, finalized: number) {
  const first = tail.linked[0] ?? tail.loose[0];
  if (first !== undefined) return first.slot <= finalized;
  const hasChanged = changedSlot !== null && changedSlot <= finalized;
  return hasChanged || inherited.some(({ slot }) => slot <= BigInt(finalized));
}

export function isOpen({ ordered: { tail, changedSlot }, rows: { inherited } }: FollowedPool): boolean {
  return !tail.isEmpty || inherited.length > 0 || changedSlot !== null;
}

export function isUnstored({ ordered, written }: FollowedPool): boolean {
  return ordered.version !== written.version;
}

/** Pools that are followed; all other pools are settled and stored. */
export class FollowedPools {
  readonly #db: Db;
  readonly #supplies: Supplies;
  readonly #pools = new Map<string, FollowedPool>();

  constructor(db: Db, supplies: Supplies) {
    this.#db = db;
    this.#supplies = supplies;
  }

  get(pool: string): FollowedPool | undefined {
    return this.#pools.get(pool);
  }

  all(): FollowedPool[] {
    return [...this.#pools.values()];
  }

  async load(pools: readonly string[]): Promise<void> {
    const missing = pools.filter((pool) => !this.#pools.has(pool));
    if (missing.length === 0) return;
    const cursors = await poolCursors.byPools(this.#db, missing);
    const rows = Map.groupBy(await swaps.provisionalOf(this.#db, missing), ({ pool }) => pool);
    for (const cursor of cursors) {
      const pool = followedPool(cursor, rows.get(cursor.pool) ?? []);
      if (pool) this.#pools.set(cursor.pool, pool);
    }
    await this.ensureSupplies(missing.flatMap((pool) => this.#pools.get(pool) ?? []));
  }

  /** Reads the cursor again: another writer may have moved it. */
  async reload(pool: FollowedPool): Promise<void> {
    const [cursor] = await poolCursors.byPools(this.#db, [pool.address]);
    if (!cursor) throw new Error(`the cursor of pool ${pool.address} has vanished`);
    pool.written.reload(cursor);
    this.moveTo(pool, Number(cursor.finalizedSlot), cursor);
  }

  moveTo(pool: FollowedPool, slot: number, balances: Pick<IndexedPool, 'baseRaw' | 'quoteRaw'>): void {
    pool.written.moveTo(slot, balances);
    pool.ordered.moveTo({ slot, raw: balances.baseRaw });
    pool.rows.keep(pool.ordered.tail.steps, slot);
  }

  noteChanged(address: string, slot: number): void {
    this.get(address)?.ordered.noteChanged(slot);
  }

  /** Drops idle pools, of which all is settled and stored, until `most` remain. */
  shed(most: number): void {
    for (const [address, pool] of this.#pools) {
      if (this.#pools.size <= most) return;
      if (!isOpen(pool) && !isUnstored(pool)) this.#pools.delete(address);
    }
  }

  async ensureSupplies(pools: readonly FollowedPool[]): Promise<void> {
    await this.#supplies.ensure(pools.map(({ written }) => written.cursor.mint));
  }

  supplyOf({ written: { cursor } }: FollowedPool): bigint {
    return this.#supplies.of(cursor.mint);
  }
}

function followedPool(cursor: IndexedPool, inherited: readonly swaps.SwapRecord[]): FollowedPool | null {
  const market = marketPoolOf(cursor);
  if (market === null) return null;
  const changedSlot = cursor.changedSlot === null ? null : Number(cursor.changedSlot);
  const start = { slot: Number(cursor.finalizedSlot), raw: cursor.baseRaw };
  const ordered = new OrderedPool(start, changedSlot);
  return { address: cursor.pool, market, ordered, rows: new PricedRows(inherited), written: new WrittenPool(cursor) };
}
