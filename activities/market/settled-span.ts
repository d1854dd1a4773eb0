import { type PoolTransaction, quoteAfter } from '../../chain/market/pool-swaps.ts';
import type { IndexedPool } from '../../db/market/pool-cursors.ts';
import type { NewSwap, SettledSpan } from '../../db/market/swaps.ts';
import { highestMarketCap } from '../../domain/market/figures.ts';
import { leadsTo } from '../../domain/market/vault-chain.ts';
import type { MarketDeps } from './deps.ts';
import { withSteadyPrices } from './steady-caps.ts';

declare const proven: unique symbol;

/** All that happened in a pool between two balances of its vault. Only `provenSpan` makes it, and only it settles. */
export interface ProvenSpan extends Omit<SettledSpan, 'pool' | 'mint' | 'highestCapUsd'> {
  readonly cursor: IndexedPool;
  readonly [proven]: true;
}

export interface SpanCase {
  readonly cursor: IndexedPool;
  /** Where the pool is settled; raw units. */
  readonly from: Pick<IndexedPool, 'finalizedSlot' | 'baseRaw' | 'quoteRaw'>;
  /** The finalized balance of the base vault at that slot. */
  readonly until: { readonly slot: number; readonly raw: bigint };
  /** In the chain's order. */
  readonly transactions: readonly PoolTransaction[];
  readonly swaps: readonly NewSwap[];
}

/** @throws if the transactions do not lead from one balance to the other, or the swaps are not theirs */
export function provenSpan({ cursor, from, until, transactions, swaps }: SpanCase): ProvenSpan {
  const untilSlot = BigInt(until.slot);
  const isWithin = ({ slot }: { readonly slot: number }) => slot > from.finalizedSlot && slot <= untilSlot;
  const counted = new Map(transactions.map((one) => [one.signature, one.swaps.length]));
  const stored = Map.groupBy(swaps, ({ signature }) => signature);
  const isWhole =
    leadsTo(transactions, from.baseRaw, until.raw) &&
    transactions.every(isWithin) &&
    swaps.every(({ signature }) => counted.has(signature)) &&
    [...counted].every(([signature, count]) => (stored.get(signature)?.length ?? 0) === count);
  if (!isWhole) throw new Error(`the swaps of pool ${cursor.pool} up to slot ${untilSlot} are not proven complete`);
  const quoteRaw = quoteAfter(transactions, from.quoteRaw);
  const span = { fromSlot: from.finalizedSlot, untilSlot, baseRaw: until.raw, quoteRaw, swaps };
  return { cursor, ...span } as ProvenSpan;
}

export async function settledSpans(
  deps: Pick<MarketDeps, 'db' | 'maxDeviationBps'>,
  spans: readonly ProvenSpan[],
): Promise<SettledSpan[]> {
  const groups = spans.map(({ cursor: { quoteMint }, swaps }) => ({ quoteMint, swaps }));
  const steady = await withSteadyPrices(deps, groups);
  return spans.map(({ cursor: { pool, mint, baseDecimals }, ...span }, index) => {
    return { pool, mint, ...span, highestCapUsd: highestMarketCap(steady[index] ?? [], baseDecimals) };
  });
}
