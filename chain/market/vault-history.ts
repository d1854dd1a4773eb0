import { blockTimeOf } from '../../domain/block-time.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { HistoryEntry } from '../rpc/history.ts';
import { inParallel } from '../rpc/in-parallel.ts';
import type { Rpc } from '../rpc/rpc.ts';
import { type MarketPool, type PoolTransaction, readPoolTransaction } from './pool-swaps.ts';

/** A pool's transaction with a known time. */
export type TimedTransaction = PoolTransaction & { readonly blockTime: number };

/** Transactions of a vault that could be read, and the ones that no endpoint would give. */
export interface ReadHistory {
  /** Oldest first, within a slot as the endpoint ordered them. */
  readonly transactions: readonly TimedTransaction[];
  readonly missing: readonly HistoryEntry[];
}

/** What reading takes. */
export interface HistoryDeps {
  readonly rpc: Rpc;
  readonly exchange: Exchange;
}

/** Requests for single transactions that are under way at once, for one pool. */
const AT_ONCE = 8;

/** More entries than any pool has between two looks; beyond that, memory would be the limit. */
export const MOST_ENTRIES = 1_000_000;

/** Reads the transactions of entries that are newest first. A failed transaction moved nothing and is not read. */
export async function readTransactions(
  deps: HistoryDeps,
  market: MarketPool,
  entries: readonly HistoryEntry[],
  commitment: 'confirmed' | 'finalized',
): Promise<ReadHistory> {
  const wanted = entries.filter(({ err }) => err === null).toReversed();
  const answers = await inParallel(AT_ONCE, wanted, (entry) => readOne(deps, market, entry, commitment));
  return {
    transactions: answers.flatMap((answer) => (answer !== null && answer !== 'missing' ? [answer] : [])),
    missing: wanted.filter((_, index) => answers[index] === 'missing'),
  };
}

async function readOne(
  { rpc, exchange }: HistoryDeps,
  market: MarketPool,
  { signature }: HistoryEntry,
  commitment: 'confirmed' | 'finalized',
): Promise<TimedTransaction | null | 'missing'> {
  const response = await rpc.getTransactionResponse(signature, commitment);
  if (response === null) return 'missing';
  const transaction = readPoolTransaction(exchange, market, signature, response);
  if (transaction === null) return null;
  const blockTime = transaction.blockTime ?? blockTimeOf(await rpc.connection.getBlockTime(response.slot));
  return blockTime === null ? 'missing' : { ...transaction, blockTime };
}
