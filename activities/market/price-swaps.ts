import { isLaunch, type PoolTransaction } from '../../chain/market/pool-swaps.ts';
import type { IndexedPool } from '../../db/market/pool-cursors.ts';
import type { NewSwap, SwapRecord } from '../../db/market/swaps.ts';
import { priceInUsd, worthUsd } from '../../domain/pool-price.ts';
import type { QuotePrices } from './quote-prices.ts';

/** Transactions of a pool in the order they happened. */
export interface SwapBatch {
  readonly cursor: IndexedPool;
  /** Supply of the token now, raw units. */
  readonly supplyRaw: bigint;
  readonly transactions: readonly (PoolTransaction & { readonly blockTime: number })[];
  /** What is stored of them already: a swap keeps the price that it was first given. */
  readonly stored: readonly SwapRecord[];
}

/** Makes rows of swaps, each valued at what the quote token cost at that moment. */
export async function priceSwaps(prices: QuotePrices, batch: SwapBatch): Promise<NewSwap[]> {
  const { cursor, supplyRaw } = batch;
  const rows = unpricedRows(batch);
  const missing = rows.filter(({ quoteUsd }) => quoteUsd === null);
  const times = [...new Set(missing.map(({ blockTime }) => blockTime.getTime()))];
  const found =
    times.length > 0
      ? await prices.at(
          cursor.quoteMint,
          times.map((time) => new Date(time)),
        )
      : [];
  const usdAt = new Map(times.map((time, index) => [time, found[index] ?? null]));
  return rows.map((row) => ({
    ...row,
    supplyRaw,
    ...valued(row, cursor.quoteDecimals, row.quoteUsd ?? usdAt.get(row.blockTime.getTime()) ?? null),
  }));
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
      // The launch wallet pays for the dev buy, but it is the creator who buys.
      wallet: isLaunch(transaction) ? cursor.creator : swap.wallet,
      blockTime: new Date(blockTime * 1000),
      quoteUsd: known.get(`${signature}/${swap.index}/${slot}`) ?? null,
    }));
  });
}

/** Place of each transaction among those of its slot; they must be in order. */
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
