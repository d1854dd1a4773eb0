import { blockTimeOf } from '../../domain/block-time.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { HistoryEntry } from '../rpc/history.ts';
import { inParallel } from '../rpc/in-parallel.ts';
import type { Rpc } from '../rpc/rpc.ts';
import { type MarketPool, type PoolTransaction, readPoolTransaction } from './pool-swaps.ts';

export type TimedTransaction = PoolTransaction & { readonly blockTime: number };

export interface ReadHistory {
  /** Oldest first; within a slot the endpoint's order. */
  readonly transactions: readonly TimedTransaction[];
  readonly missing: readonly HistoryEntry[];
}

export interface HistoryDeps {
  readonly rpc: Rpc;
  readonly exchange: Exchange;
}

/** Requests per pool. */
const AT_ONCE = 8;

/** Entries beyond any pool's between two polls; bounds memory. */
export const MOST_ENTRIES = 1_000_000;

/** Reads transactions; `entries` newest first. Failed ones moved nothing. */
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
