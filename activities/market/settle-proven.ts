import * as marketStream from '../../db/market/market-stream.ts';
import type { NewSwap } from '../../db/market/swaps.ts';
import type { MarketDeps } from './deps.ts';
import type { DuePool } from './due-pools.ts';
import { priceBatches } from './price-swaps.ts';
import type { ProvenListing } from './proven-listings.ts';
import type { QuotePrices } from './quote-prices.ts';
import { beforeSlot } from './settle.ts';
import { provenSpan, settledSpans } from './settled-span.ts';

export interface ProvenPool extends DuePool {
  readonly listing: ProvenListing;
}

export interface ProvenOutcome {
  /** Number of rows inserted or changed. */
  readonly stored: number;
  /** Pools whose figures may have changed. */
  readonly moved: readonly DuePool[];
}

export async function settleProven(
  deps: MarketDeps,
  pools: readonly ProvenPool[],
  untilSlot: number,
  prices: QuotePrices,
): Promise<ProvenOutcome> {
  const open = pools.filter(({ cursor }) => cursor.finalizedSlot < untilSlot);
  const stretches = open.map((pool) => ({ pool, ...beforeSlot(pool.listing, untilSlot + 1) }));
  const batches = stretches.map(({ pool: { cursor, stand, rows }, transactions }) => ({
    cursor,
    supplyRaw: stand.supplyRaw,
    transactions,
    stored: rows,
  }));
  const priced = Map.groupBy(await priceBatches(prices, batches), ({ pool }) => pool);
  const swapsOf = ({ cursor }: DuePool) => priced.get(cursor.pool) ?? [];
  const spans = stretches.map(({ pool, transactions, end: raw }) => {
    const { cursor } = pool;
    return provenSpan({ cursor, from: cursor, until: { slot: untilSlot, raw }, transactions, swaps: swapsOf(pool) });
  });
  const { stored } = await marketStream.settleAll(deps.db, await settledSpans(deps, spans));
  return { stored, moved: open.filter((pool) => changesFigures(pool, swapsOf(pool))) };
}

/**
 * True after new swaps, after a change without a swap, or after a burn. Swaps that were stored before change nothing.
 */
function changesFigures({ cursor, stand, rows }: DuePool, swaps: readonly NewSwap[]): boolean {
  const stored = new Set(rows.map(({ signature, index }) => `${signature}/${index}`));
  const isStored = swaps.every(({ signature, index }) => stored.has(`${signature}/${index}`));
  return !isStored || swaps.length === 0 || stand.supplyRaw !== cursor.supplyRaw;
}
