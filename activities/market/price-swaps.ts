import { isLaunch, type PoolTransaction } from '../../chain/market/pool-swaps.ts';
import type { IndexedPool } from '../../db/market/pool-cursors.ts';
import type { NewSwap, SwapRecord } from '../../db/market/swaps.ts';
import { priceInUsd, worthUsd } from '../../domain/pool-price.ts';
import type { QuoteMoment, QuotePrices } from './quote-prices.ts';

export interface SwapBatch {
  readonly cursor: IndexedPool;
  /** Current supply, raw units. */
  readonly supplyRaw: bigint;
  readonly transactions: readonly (PoolTransaction & { readonly blockTime: number })[];
  /** Stored swaps, whose prices stay as they are. */
  readonly stored: readonly SwapRecord[];
}

export function priceSwaps(prices: QuotePrices, batch: SwapBatch): Promise<NewSwap[]> {
  return priceBatches(prices, [batch]);
}

/** Prices swaps; the result has the order of the batches. */
export async function priceBatches(prices: QuotePrices, batches: readonly SwapBatch[]): Promise<NewSwap[]> {
  const rows = batches.flatMap((batch) =>
    unpricedRows(batch).map((row) => ({ row, cursor: batch.cursor, supplyRaw: batch.supplyRaw })),
  );
  const moments = new Map<string, QuoteMoment>();
  for (const { row, cursor } of rows) {
    if (row.quoteUsd === null) moments.set(momentOf(cursor, row), { quoteMint: cursor.quoteMint, at: row.blockTime });
  }
  const found = moments.size > 0 ? await prices.at([...moments.values()]) : [];
  const usdAt = new Map([...moments.keys()].map((moment, index) => [moment, found[index] ?? null]));
  return rows.map(({ row, cursor, supplyRaw }) => ({
    ...row,
    supplyRaw,
    ...valued(row, cursor.quoteDecimals, row.quoteUsd ?? usdAt.get(momentOf(cursor, row)) ?? null),
  }));
}

function momentOf({ quoteMint }: IndexedPool, { blockTime }: UnpricedSwap): string {
  return `${quoteMint}/${blockTime.getTime()}`;
}

type UnpricedSwap = Omit<NewSwap, 'supplyRaw' | 'priceUsd' | 'valueUsd'>;

function unpricedRows({ cursor, transactions, stored }: SwapBatch): UnpricedSwap[] {
  const known = new Map(stored.map((row) => [`${row.signature}/${row.index}/${row.slot}`, row.quoteUsd]));
  const places = placesInSlots(transactions);
  return transactions.flatMap((transaction, place) => {
    const { signature, slot, blockTime, swaps } = transaction;
    return swaps.map((swap) => ({
      ...swap,
      pool: cursor.pool,
      mint: cursor.mint,
      signature,
      slot: BigInt(slot),
      slotOrder: places[place] ?? 0,
      // The launch wallet pays for the dev buy; the creator is the buyer.
      wallet: isLaunch(transaction) ? cursor.creator : swap.wallet,
      blockTime: new Date(blockTime * 1000),
      quoteUsd: known.get(`${signature}/${swap.index}/${slot}`) ?? null,
    }));
  });
}

/** Returns the place of each transaction in its slot. Expects the chain's order. */
function placesInSlots(transactions: readonly { readonly slot: number }[]): number[] {
  const firstOf = new Map<number, number>();
  return transactions.map(({ slot }, index) => {
    if (!firstOf.has(slot)) firstOf.set(slot, index);
    return index - (firstOf.get(slot) ?? index);
  });
}

function valued({ priceQuote, quoteRaw }: UnpricedSwap, quoteDecimals: number, quoteUsd: string | null) {
  if (quoteUsd === null) return { quoteUsd, priceUsd: null, valueUsd: null };
  const priceUsd = priceInUsd(priceQuote, quoteUsd);
  return { quoteUsd, priceUsd, valueUsd: worthUsd(quoteRaw, quoteDecimals, quoteUsd) };
}
