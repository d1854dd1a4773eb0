import type { KnownTransactions } from '../../chain/market/known-transactions.ts';
import { quoteAfter } from '../../chain/market/pool-swaps.ts';
import { type HistoryEntry, uniteHistories } from '../../chain/rpc/history.ts';
import { MOST_ENTRIES, readTransactions, type TimedTransaction } from '../../chain/market/vault-history.ts';
import * as poolCursors from '../../db/market/pool-cursors.ts';
import * as swaps from '../../db/market/swaps.ts';
import type { StoreOutcome, SwapRecord } from '../../db/market/swaps.ts';
import { leadsTo, linkVault, type VaultStep } from '../../domain/market/vault-chain.ts';
import type { MarketDeps } from './deps.ts';
import { type PoolReading, reportUnread, storeTransactions } from './follow-tip.ts';
import { priceSwaps } from './price-swaps.ts';
import { provenSpan, settledSpans, type SpanCase } from './settled-span.ts';

export interface FinalizedVault {
  readonly slot: number;
  /** Balance at that slot, raw units. */
  readonly raw: bigint;
  /** Balance of the quote vault; absent if it was not read. */
  readonly quoteRaw?: bigint;
  /** Finalized slot by a quorum; needed if `slot` is one endpoint's. */
  readonly agreedSlot?: number;
}

type Stretch =
  | { readonly whole: true; readonly transactions: readonly TimedTransaction[]; readonly end: bigint }
  | {
      readonly whole: false;
      readonly gap: string;
      readonly transactions: readonly TimedTransaction[];
      /** The base vault links, so only the quote vault shows that a transaction is missing. */
      readonly isDoubted?: true;
    };

export interface ConfirmedHistory {
  /** Entries after the cursor, from an endpoint that had reached the slot of the vault reading. */
  readonly entries: readonly HistoryEntry[];
  readonly known: KnownTransactions;
}

/**
 * Settles a pool up to a finalized vault reading. The balances must link from the cursor to the balance of that
 * reading.
 *
 * Tries three histories in turn: the `confirmed` one, one endpoint's finalized one, the union of all endpoints'. If
 * none links, it records a gap: the cursor stays, and known swaps remain provisional. Of the union only the base vault
 * must link, because histories do not list strangers' transfers to the quote vault.
 */
export async function settlePool(
  deps: MarketDeps,
  look: PoolReading,
  vault: FinalizedVault,
  confirmed?: ConfirmedHistory,
): Promise<StoreOutcome> {
  const outcome = { stored: 0, withdrawn: 0 };
  const until = Math.min(vault.slot, vault.agreedSlot ?? vault.slot);
  if (until <= look.cursor.finalizedSlot) return outcome;
  const { slot: vaultSlot, raw, quoteRaw } = vault;
  const byBase = { raw, until };
  const byBoth = { ...byBase, ...(quoteRaw !== undefined && { quoteRaw }) };
  const range = {
    commitment: 'finalized' as const,
    afterSlot: Number(look.cursor.finalizedSlot),
    minContextSlot: vaultSlot,
    limit: MOST_ENTRIES,
  };
  const { baseVault } = look.open.market;
  const upToVault = (entries: readonly HistoryEntry[]) => entries.filter(({ slot }) => slot <= vaultSlot);
  const read = confirmed && upToVault(confirmed.entries);
  let known: KnownTransactions | undefined;
  // The vault proves only the last chunk, so longer histories are read again.
  if (read && read.length <= deps.settings.chunk) {
    const broken = await settleEntries(deps, look, read, byBoth, outcome, confirmed.known);
    if (broken === null) return outcome;
    if (broken.isDoubted) known = confirmed.known;
  }
  const one = upToVault(await deps.rpc.historyOf(baseVault, range));
  const first = await settleEntries(deps, look, one, byBoth, outcome, known);
  if (first === null) return outcome;
  const all = upToVault(uniteHistories(await deps.rpc.historiesOf(baseVault, range)));
  const second = await settleEntries(deps, look, all, byBase, outcome, known);
  if (second === null) return outcome;
  if (first.isDoubted && (await settleEntries(deps, look, one, byBase, outcome, known)) === null) return outcome;
  await keepGap(deps, look, second, outcome);
  return outcome;
}

type Outcome = { stored: number; withdrawn: number };
type Broken = Extract<Stretch, { whole: false }>;
type Whole = Extract<Stretch, { whole: true }>;

interface Proven extends Pick<Whole, 'transactions' | 'end'> {
  readonly slot: number;
}

/** Settles the entries, chunk by chunk. Returns the part that does not link; null if all is settled. */
async function settleEntries(
  deps: MarketDeps,
  look: PoolReading,
  entries: readonly HistoryEntry[],
  vault: Pick<FinalizedVault, 'raw' | 'quoteRaw'> & { readonly until: number },
  outcome: Outcome,
  known?: KnownTransactions,
): Promise<Broken | null> {
  const cursor = await freshCursor(deps, look);
  let at: SpanCase['from'] = cursor;
  let open = entries.filter(({ slot }) => slot > at.finalizedSlot).toReversed();
  for (;;) {
    const chunk = takeChunk(open, deps.settings.chunk);
    const isLast = chunk.length === open.length;
    const ends = { start: at.baseRaw, end: isLast ? vault.raw : null };
    const stretch = await readStretch(deps, look, chunk, ends, known);
    if (!stretch.whole) return stretch;
    if (vault.quoteRaw !== undefined && !leadsQuote(stretch, at.quoteRaw, isLast ? vault.quoteRaw : null)) {
      return { ...stretch, whole: false, gap: 'the known history does not lead the quote vault', isDoubted: true };
    }
    const chunkEnd = isLast ? Infinity : (chunk.at(-1)?.slot ?? 0);
    const proven = beforeSlot(stretch, Math.min(vault.until + 1, chunkEnd));
    const settled = await settleStretch(deps, look, proven, at);
    if (settled === null) return null; // Another poll did.
    outcome.stored += settled.stored;
    outcome.withdrawn += settled.withdrawn;
    if (isLast || proven.slot === vault.until) return null;
    const quoteRaw = quoteAfter(proven.transactions, at.quoteRaw);
    at = { finalizedSlot: BigInt(proven.slot), baseRaw: proven.end, quoteRaw };
    open = open.filter(({ slot }) => slot > at.finalizedSlot);
    deps.heartbeat();
  }
}

/** True if the quote vault links. A null bound is unknown and links always. */
function leadsQuote({ transactions }: Whole, start: bigint | null, end: bigint | null): boolean {
  const quotes = transactions.flatMap(({ quote }) => quote ?? []);
  return start === null || leadsTo(quotes, start, end ?? quotes.at(-1)?.after ?? start);
}

/** Takes about `size` entries: whole slots, and at least two slots if there are two. */
function takeChunk(oldestFirst: readonly HistoryEntry[], size: number): readonly HistoryEntry[] {
  const second = oldestFirst.findIndex(({ slot }) => slot !== oldestFirst[0]?.slot);
  const lastSlot = oldestFirst[Math.max(size - 1, second)]?.slot;
  return second === -1 || lastSlot === undefined ? oldestFirst : oldestFirst.filter(({ slot }) => slot <= lastSlot);
}

/**
 * Returns the part before `slot`. Only a following transaction proves a slot complete: a chunk's last slot waits for
 * the next chunk.
 */
export function beforeSlot<Step extends VaultStep>(
  { transactions, end }: { readonly transactions: readonly Step[]; readonly end: bigint },
  slot: number,
) {
  const kept = transactions.filter((transaction) => transaction.slot < slot);
  return { transactions: kept, end: transactions[kept.length]?.before ?? end, slot: slot - 1 };
}

async function freshCursor({ db }: MarketDeps, { cursor }: PoolReading) {
  const [fresh] = await poolCursors.byPools(db, [cursor.pool]);
  if (!fresh) throw new Error(`the cursor of pool ${cursor.pool} has vanished`);
  return fresh;
}

/** Reads transactions, oldest first. `end`: balance after the last one; null if more follow. */
async function readStretch(
  deps: MarketDeps,
  { open: { market } }: PoolReading,
  entries: readonly HistoryEntry[],
  { start, end }: { readonly start: bigint; readonly end: bigint | null },
  known?: KnownTransactions,
): Promise<Stretch> {
  const newestFirst = entries.toReversed();
  const { transactions, missing } = known
    ? await known.read(deps, market, newestFirst, 'finalized')
    : await readTransactions(deps, market, newestFirst, 'finalized');
  const [lost] = missing;
  if (lost) return { whole: false, transactions, gap: `no endpoint has transaction ${lost.signature}` };
  const chain = linkVault(transactions, start);
  if (!chain.whole) return { ...chain, transactions };
  if (end !== null && chain.end !== end) {
    return { whole: false, transactions, gap: `the known history ends with ${chain.end}, the vault holds ${end}` };
  }
  return { whole: true, transactions: chain.steps, end: chain.end };
}

async function settleStretch(
  deps: MarketDeps,
  { cursor, open, prices }: PoolReading,
  { transactions, end: raw, slot }: Proven,
  from: SpanCase['from'],
): Promise<StoreOutcome | null> {
  reportUnread(deps, cursor, transactions);
  const stored = await provisionalOf(deps, cursor.pool);
  const priced = await priceSwaps(prices, { cursor, supplyRaw: open.supplyRaw, transactions, stored });
  const span = provenSpan({ cursor, from, until: { slot, raw }, transactions, swaps: priced });
  const [settled] = await settledSpans(deps, [span]);
  return settled ? swaps.settle(deps.db, settled) : null;
}

function provisionalOf({ db }: MarketDeps, pool: string): Promise<SwapRecord[]> {
  return swaps.provisional(db, pool);
}

/** Records the gap and stores the known swaps, so that they show although others are missing. */
async function keepGap(deps: MarketDeps, look: PoolReading, { gap, transactions }: Broken, outcome: Outcome) {
  const { pool, mint } = look.cursor;
  deps.logger.warn({ pool, mint, gap }, 'the finalized history of a pool has a gap');
  await poolCursors.noteGap(deps.db, pool, gap);
  const { stored } = await storeTransactions(deps, look, transactions, await provisionalOf(deps, pool));
  outcome.stored += stored;
}
