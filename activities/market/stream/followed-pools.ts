import { PublicKey } from '@solana/web3.js';
import { ACCOUNTS_PER_CALL } from '../../../chain/market/pool-changes.ts';
import { type MarketPool, quoteAfter } from '../../../chain/market/pool-swaps.ts';
import type { TimedTransaction } from '../../../chain/market/vault-history.ts';
import { unpackTokenMint } from '../../../chain/tokens/unpack-mint.ts';
import * as poolCursors from '../../../db/market/pool-cursors.ts';
import type { IndexedPool } from '../../../db/market/pool-cursors.ts';
import * as swaps from '../../../db/market/swaps.ts';
import type { NewSwap, SwapRecord } from '../../../db/market/swaps.ts';
import { PoolTail } from '../../../domain/market/pool-tail.ts';
import type { MarketDeps } from '../deps.ts';
import type { PoolStanding } from '../figures.ts';
import { marketPoolOf } from './watch-list.ts';

export type PoolStep = TimedTransaction & { readonly place: number };

/** Names a transaction with its slot: after a fork it may land again in another one. */
export function keyOf({ signature, slot }: Pick<PoolStep, 'signature' | 'slot'>): string {
  return `${signature}/${slot}`;
}

export interface FollowedPool {
  cursor: IndexedPool;
  readonly market: MarketPool;
  readonly tail: PoolTail<PoolStep>;
  /** Swaps of the tail's transactions, by `keyOf`. */
  readonly rows: Map<string, NewSwap[]>;
  /** Provisional swaps that were stored before this load, by signature. */
  readonly inherited: Map<string, SwapRecord[]>;
  isDirty: boolean;
  /** Null if all is settled. */
  changedSlot: number | null;
  /** Failed attempts; the next is due at `nextAttempt` (ms). */
  attempts: number;
  nextAttempt: number;
}

export function vaultOf({ cursor, market }: FollowedPool) {
  return { pool: cursor.pool, baseVault: market.baseVault };
}

export function isDue({ tail, inherited, changedSlot }: FollowedPool, finalized: number): boolean {
  const first = tail.linked[0] ?? tail.loose[0];
  if (first !== undefined) return first.slot <= finalized;
  return (
    (changedSlot !== null && changedSlot <= finalized) ||
    [...inherited.values()].flat().some(({ slot }) => slot <= BigInt(finalized))
  );
}

export function isOpen({ tail, inherited, changedSlot }: FollowedPool): boolean {
  return !tail.isEmpty || inherited.size > 0 || changedSlot !== null;
}

export function noteStanding(pool: FollowedPool, { priceQuote, quoteVaultRaw, slot }: PoolStanding): void {
  pool.cursor = { ...pool.cursor, priceQuote, quoteVaultRaw, stateSlot: BigInt(slot) };
}

function withKnownPrice(cursor: IndexedPool): IndexedPool {
  return cursor.figuresVersion === cursor.swapsVersion ? cursor : { ...cursor, priceQuote: null };
}

export function asRecords(rows: readonly NewSwap[]): SwapRecord[] {
  return rows.map((row) => ({ ...row, finalized: false }));
}

export class FollowedPools {
  readonly #deps: MarketDeps;
  readonly #supplies: Map<string, bigint>;
  readonly #pools = new Map<string, FollowedPool>();

  constructor(deps: MarketDeps, supplies: Map<string, bigint>) {
    this.#deps = deps;
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
    const { db } = this.#deps;
    for (const cursor of await poolCursors.byPools(db, missing)) {
      const market = marketPoolOf(cursor);
      if (market === null) continue;
      const tail = new PoolTail<PoolStep>({ slot: Number(cursor.finalizedSlot), raw: cursor.baseRaw });
      const changedSlot = cursor.changedSlot === null ? null : Number(cursor.changedSlot);
      const marks = { isDirty: false, changedSlot, attempts: 0, nextAttempt: 0 };
      const known = withKnownPrice(cursor);
      this.#pools.set(cursor.pool, { cursor: known, market, tail, rows: new Map(), inherited: new Map(), ...marks });
    }
    for (const row of await swaps.provisionalOf(db, missing)) {
      const inherited = this.#pools.get(row.pool)?.inherited;
      inherited?.set(row.signature, [...(inherited.get(row.signature) ?? []), row]);
    }
    await this.#readSupplies(missing);
  }

  async reload(pool: FollowedPool): Promise<void> {
    const [cursor] = await poolCursors.byPools(this.#deps.db, [pool.cursor.pool]);
    if (!cursor) throw new Error(`the cursor of pool ${pool.cursor.pool} has vanished`);
    pool.cursor = withKnownPrice(cursor);
    this.moveTo(pool, Number(cursor.finalizedSlot), cursor);
  }

  moveTo(pool: FollowedPool, slot: number, { baseRaw, quoteRaw }: Pick<IndexedPool, 'baseRaw' | 'quoteRaw'>): void {
    pool.cursor = { ...pool.cursor, finalizedSlot: BigInt(slot), baseRaw, quoteRaw };
    pool.tail.moveTo({ slot, raw: baseRaw });
    if (pool.changedSlot !== null && pool.changedSlot <= slot) pool.changedSlot = null;
    const kept = new Set(pool.tail.steps.map(keyOf));
    for (const key of pool.rows.keys()) if (!kept.has(key)) pool.rows.delete(key);
    for (const [signature, [row]] of pool.inherited) {
      if (row === undefined || row.slot <= BigInt(slot)) pool.inherited.delete(signature);
    }
  }

  noteChanged(address: string, slot: number): void {
    const pool = this.get(address);
    if (pool && slot > pool.tail.start.slot) pool.changedSlot = Math.max(pool.changedSlot ?? 0, slot);
  }

  /** Drops idle pools, of which all is settled and stored, until `most` remain. */
  shed(most: number): void {
    for (const [address, pool] of this.#pools) {
      if (this.#pools.size <= most) return;
      const { tail, isDirty, changedSlot, inherited } = pool;
      if (tail.isEmpty && !isDirty && changedSlot === null && inherited.size === 0) this.#pools.delete(address);
    }
  }

  supplyOf({ cursor }: FollowedPool): bigint {
    const supply = this.#supplies.get(cursor.mint);
    if (supply === undefined) throw new Error(`the supply of ${cursor.mint} was not read`);
    return supply;
  }

  standingOf(pool: FollowedPool): PoolStanding | null {
    const { cursor, tail } = pool;
    const last = tail.linked.at(-1);
    const priceQuote =
      tail.linked.findLast(({ swaps }) => swaps.length > 0)?.swaps.at(-1)?.priceQuote ?? cursor.priceQuote;
    const quoteVaultRaw = quoteAfter(tail.linked, cursor.quoteVaultRaw);
    if (!last || priceQuote === null || quoteVaultRaw === null) return null;
    const amounts = { supplyRaw: this.supplyOf(pool), baseVaultRaw: tail.end, quoteVaultRaw };
    // A reconnected stream repeats transactions; figures must not become older.
    return BigInt(last.slot) < (cursor.stateSlot ?? 0n) ? null : { cursor, priceQuote, slot: last.slot, ...amounts };
  }

  async ensureSupplies(pools: readonly FollowedPool[]): Promise<void> {
    await this.#readSupplies(pools.map(({ cursor }) => cursor.pool));
  }

  async #readSupplies(pools: readonly string[]): Promise<void> {
    const mints = pools.flatMap((pool) => this.#pools.get(pool)?.cursor.mint ?? []);
    const missing = mints.filter((mint) => !this.#supplies.has(mint)).map((mint) => new PublicKey(mint));
    for (let start = 0; start < missing.length; start += ACCOUNTS_PER_CALL) {
      const page = missing.slice(start, start + ACCOUNTS_PER_CALL);
      const accounts = await this.#deps.rpc.connection.getMultipleAccountsInfo(page, 'confirmed');
      for (const [index, mint] of page.entries()) {
        const supply = unpackTokenMint(mint, accounts[index] ?? null)?.mint.supply;
        // A fork removed the mint: there are no trades.
        this.#supplies.set(mint.toBase58(), supply ?? 0n);
      }
    }
  }
}
