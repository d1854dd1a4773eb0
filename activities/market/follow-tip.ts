import type { OpenPool } from '../../chain/market/pool-accounts.ts';
import { mayHaveMissedSwap } from '../../chain/market/pool-swaps.ts';
import type { KnownTransactions } from '../../chain/market/known-transactions.ts';
import type { TimedTransaction } from '../../chain/market/vault-history.ts';
import type { HistoryEntry } from '../../chain/rpc/history.ts';
import type { IndexedPool } from '../../db/market/pool-cursors.ts';
import * as swaps from '../../db/market/swaps.ts';
import type { StoreOutcome, SwapRecord } from '../../db/market/swaps.ts';
import type { MarketDeps } from './deps.ts';
import { priceSwaps } from './price-swaps.ts';
import type { QuotePrices } from './quote-prices.ts';
import { provenAbsent } from '../money/proven-absent.ts';

export interface PoolLook extends PoolReading {
  readonly known: KnownTransactions;
}

export interface PoolReading {
  readonly cursor: IndexedPool;
  readonly open: Pick<OpenPool, 'market' | 'supplyRaw'>;
  readonly prices: QuotePrices;
}

export interface Tip {
  readonly afterSlot: number;
  /** Newest first. */
  readonly entries: readonly HistoryEntry[];
  /** Readable transactions, oldest first. */
  readonly transactions: readonly TimedTransaction[];
}

/**
 * Stores the newest swaps of a pool, and withdraws stored ones that no block has. All stay provisional until
 * `settlePool` proves their slots finalized.
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
 * Returns stored swaps that no listing has and that are proven absent from every block. An endpoint that lags or has
 * pruned its history therefore withdraws no swap.
 */
export async function withdrawnOf(
  deps: MarketDeps,
  stored: readonly SwapRecord[],
  entries: readonly HistoryEntry[],
): Promise<string[]> {
  const listed = new Set(entries.map(({ signature }) => signature));
  const unlisted = stored.filter(({ signature }) => !listed.has(signature));
  if (unlisted.length === 0) return [];
  const signatures = [...new Set(unlisted.map(({ signature }) => signature))];
  // An invented swap may name a slot ahead of the chain, which no endpoint can reach.
  const reached = await deps.rpc.reachedSlot('confirmed');
  const slots = unlisted.map(({ slot }) => Math.min(Number(slot), reached));
  return provenAbsent(deps, signatures, { sinceSlot: Math.min(...slots), asOfSlot: Math.max(...slots) });
}

export function reportUnread(
  { logger, meters }: MarketDeps,
  { pool, mint }: IndexedPool,
  transactions: readonly TimedTransaction[],
): void {
  for (const transaction of transactions.filter(mayHaveMissedSwap)) {
    meters.unread();
    const { signature, otherBase, otherQuote } = transaction;
    logger.warn(
      { pool, mint, signature, otherBase: String(otherBase), otherQuote: String(otherQuote) },
      'the vaults moved against each other beyond the swaps that were read',
    );
  }
}
