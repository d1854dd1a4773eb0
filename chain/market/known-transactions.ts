import type { HistoryEntry } from '../rpc/history.ts';
import type { MarketPool } from './pool-swaps.ts';
import { type HistoryDeps, type ReadHistory, readTransactions, type TimedTransaction } from './vault-history.ts';

/** Transactions kept, about 1 kB each. */
const MOST = 10_000;

/** The key has the slot: a transaction may act differently in another. Evicts the oldest. */
export class KnownTransactions {
  /** Null if it did not touch the base vault. */
  readonly #known = new Map<string, TimedTransaction | null>();

  async read(
    deps: HistoryDeps,
    market: MarketPool,
    entries: readonly HistoryEntry[],
    commitment: 'confirmed' | 'finalized',
  ): Promise<ReadHistory> {
    const wanted = entries.filter(({ err }) => err === null);
    const found = new Map(wanted.map((entry) => [entry.signature, this.#known.get(keyOf(market, entry))]));
    const unknown = wanted.filter(({ signature }) => found.get(signature) === undefined);
    const { transactions, missing } = await readTransactions(deps, market, unknown, commitment);
    const lost = new Set(missing.map(({ signature }) => signature));
    const read = new Map(transactions.map((transaction) => [transaction.signature, transaction]));
    for (const entry of unknown) {
      const transaction = read.get(entry.signature) ?? null;
      found.set(entry.signature, transaction);
      // Landed in another slot since: do not cache.
      if (!lost.has(entry.signature) && (transaction?.slot ?? entry.slot) === entry.slot) {
        this.#note(keyOf(market, entry), transaction);
      }
    }
    return { transactions: wanted.toReversed().flatMap(({ signature }) => found.get(signature) ?? []), missing };
  }

  /** `entries` newest first, result oldest first; null if one is missing. */
  recall(market: MarketPool, entries: readonly HistoryEntry[]): TimedTransaction[] | null {
    const found = entries.filter(({ err }) => err === null).map((entry) => this.#known.get(keyOf(market, entry)));
    return found.includes(undefined) ? null : found.toReversed().flatMap((transaction) => transaction ?? []);
  }

  #note(key: string, transaction: TimedTransaction | null): void {
    this.#known.set(key, transaction);
    const oldest = this.#known.size > MOST ? this.#known.keys().next().value : undefined;
    if (oldest !== undefined) this.#known.delete(oldest);
  }
}

function keyOf({ pool }: MarketPool, { signature, slot }: HistoryEntry): string {
  return `${pool.toBase58()}/${signature}/${slot}`;
}
