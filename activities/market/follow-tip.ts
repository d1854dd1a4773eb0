import type { OpenPool } from '../../chain/market/pool-accounts.ts';
import { looksUnread } from '../../chain/market/pool-swaps.ts';
import type { KnownTransactions } from '../../chain/market/known-transactions.ts';
import type { TimedTransaction } from '../../chain/market/vault-history.ts';
import type { HistoryEntry } from '../../chain/rpc/history.ts';
import type { IndexedPool } from '../../db/market/pool-cursors.ts';
import * as swaps from '../../db/market/swaps.ts';
import type { StoreOutcome, SwapRecord } from '../../db/market/swaps.ts';
import type { MarketDeps } from './deps.ts';
import { priceSwaps } from './price-swaps.ts';
import type { QuotePrices } from './quote-prices.ts';

/** One pool that is looked at. */
export interface PoolLook extends PoolReading {
  /** What looks have read. */
  readonly known: KnownTransactions;
}

/** What reading a pool's transactions takes. */
export interface PoolReading {
  readonly cursor: IndexedPool;
  readonly open: Pick<OpenPool, 'market' | 'supplyRaw'>;
  readonly prices: QuotePrices;
}

/** What was listed of a pool after a slot, confirmed. */
export interface Tip {
  readonly afterSlot: number;
  /** Newest first. */
  readonly entries: readonly HistoryEntry[];
  /** Those that could be read, oldest first. */
  readonly transactions: readonly TimedTransaction[];
}

/**
 * Stores the swaps of a tip that are not stored yet, and withdraws stored ones of the same slots that a fork took. All of it is
 * provisional until `settlePool` finds the same slots proven, finalized.
 */
export async function followTip(
  deps: MarketDeps,
  look: PoolReading,
  { afterSlot, entries, transactions }: Tip,
): Promise<StoreOutcome> {
  const { cursor } = look;
  const stored = (await swaps.provisional(deps.db, cursor.pool)).filter(({ slot }) => slot > afterSlot);
  const known = new Set(stored.map(({ signature, slot }) => `${signature}/${slot}`));
  const fresh = transactions.filter(({ signature, slot }) => !known.has(`${signature}/${slot}`));
  const withdrawn = await withdrawnOf(deps, stored, entries);
  if (fresh.length === 0 && withdrawn.length === 0) return { stored: 0, withdrawn: 0 };
  return storeTransactions(deps, look, fresh, stored, withdrawn);
}

/** Prices and stores transactions that a fork can still take back. */
export async function storeTransactions(
  deps: MarketDeps,
  { cursor, open, prices }: PoolReading,
  transactions: readonly TimedTransaction[],
  stored: readonly SwapRecord[],
  withdrawn: readonly string[] = [],
): Promise<StoreOutcome> {
  reportUnread(deps, cursor, transactions);
  const priced = await priceSwaps(prices, { cursor, supplyRaw: open.supplyRaw, transactions, stored });
  return swaps.storeProvisional(deps.db, cursor.pool, priced, withdrawn);
}

/**
 * Signatures of stored swaps that are not among these entries and that no endpoint knows: one that lags does not take a swap
 * back.
 */
export async function withdrawnOf(
  { rpc }: MarketDeps,
  stored: readonly SwapRecord[],
  entries: readonly HistoryEntry[],
): Promise<string[]> {
  const listed = new Set(entries.map(({ signature }) => signature));
  const absent = [...new Set(stored.map(({ signature }) => signature))].filter((signature) => !listed.has(signature));
  if (absent.length === 0) return [];
  const statuses = await rpc.signatureStatuses(absent);
  return absent.filter((_, index) => statuses[index] === null);
}

/** Says so where the vaults moved as by a swap that nobody could read. */
export function reportUnread(
  { logger, meters }: MarketDeps,
  { pool, mint }: IndexedPool,
  transactions: readonly TimedTransaction[],
): void {
  for (const transaction of transactions.filter(looksUnread)) {
    meters.unread();
    const { signature, otherBase, otherQuote } = transaction;
    logger.warn(
      { pool, mint, signature, otherBase: String(otherBase), otherQuote: String(otherQuote) },
      'the vaults moved against each other beyond the swaps that were read',
    );
  }
}
