import type { OpenPool } from '../../chain/market/pool-accounts.ts';
import type { PoolPrints } from '../../chain/market/pool-changes.ts';
import { quoteAfter } from '../../chain/market/pool-swaps.ts';
import { MOST_ENTRIES, type TimedTransaction } from '../../chain/market/vault-history.ts';
import { saysNotReached } from '../../chain/rpc/context-slot.ts';
import { FINAL_AFTER_SLOTS, NEAR_SLOTS } from '../../chain/rpc/head.ts';
import type { HistoryEntry } from '../../chain/rpc/history.ts';
import { inParallel } from '../../chain/rpc/in-parallel.ts';
import * as poolCursors from '../../db/market/pool-cursors.ts';
import type { IndexedPool } from '../../db/market/pool-cursors.ts';
import * as swaps from '../../db/market/swaps.ts';
import { linkVault, type WholeVaultChain } from '../../domain/market/vault-chain.ts';
import type { MarketDeps } from './deps.ts';
import { type PoolStanding, readStandings, saveStandings, standingOf } from './figures.ts';
import { followTip, type PoolLook, withdrawnOf } from './follow-tip.ts';
import type { PollMemory } from './poll-memory.ts';
import { POOLS_AT_ONCE, type PoolsOutcome, sumOfOutcomes, countingFailures } from './pools-outcome.ts';
import { createQuotePrices, type QuotePrices } from './quote-prices.ts';
import { readPools } from './read-pools.ts';
import { marketPoolOf } from '../../chain/market/agreed-swap.ts';

export interface Sighted extends Pick<PoolPrints, 'sights'> {
  /** Newest confirmed; 0 without a reading. */
  readonly slot: number;
}

interface Reading extends Sighted {
  readonly prices: QuotePrices;
  readonly memory: PollMemory;
}

interface PoolRead extends PoolsOutcome {
  /** The pool's figures by its transactions; null: they must be read from the account. */
  readonly standing?: PoolStanding | null;
}

export async function readChanged(
  deps: MarketDeps,
  cursors: readonly IndexedPool[],
  sighted: Sighted,
  memory: PollMemory,
): Promise<PoolsOutcome> {
  const reading = { ...sighted, prices: createQuotePrices(deps), memory };
  const looks = await openLooks(deps, cursors, reading);
  const reads = await inParallel(POOLS_AT_ONCE, looks, (look) =>
    countingFailures<PoolRead>(deps, [look.cursor], () => readOne(deps, look, reading)),
  );
  await saveFigures(deps, looks, reads, reading.prices);
  return sumOfOutcomes(reads);
}

type OpenedLook = PoolLook & { readonly opened?: OpenPool };

async function openLooks(
  deps: MarketDeps,
  cursors: readonly IndexedPool[],
  { prices, memory: { known } }: Reading,
): Promise<OpenedLook[]> {
  const looks = cursors.map((cursor) => knownLook(cursor, { prices, known }));
  const strange = cursors.filter((_, index) => looks[index] === null);
  const opened = strange.length > 0 ? await readPools(deps, strange) : [];
  const pools = new Map(strange.map(({ pool }, index) => [pool, opened[index] ?? null]));
  for (const cursor of strange) if (!pools.get(cursor.pool)) await followVanished(deps, cursor);
  const all = cursors.flatMap((cursor, index): OpenedLook[] => {
    const open = pools.get(cursor.pool);
    const look = looks[index] ?? (open ? { cursor, open, opened: open, prices, known } : null);
    return look ? [look] : [];
  });
  for (const { cursor, opened: open } of all) if (open) await noteVaults(deps.db, cursor, open);
  return all;
}

/** Opens a pool whose supply is known. Later burns count once the pool's swaps are final. */
function knownLook(cursor: IndexedPool, shared: Pick<PoolLook, 'prices' | 'known'>): PoolLook | null {
  const market = marketPoolOf(cursor);
  const { seen, supplyRaw } = cursor;
  return market && seen !== null && supplyRaw !== null ? { cursor, open: { market, supplyRaw }, ...shared } : null;
}

/** Withdraws the swaps of a pool that a fork removed. */
async function followVanished(deps: MarketDeps, { pool }: IndexedPool): Promise<void> {
  const slot = await deps.rpc.reachedSlot('finalized');
  const stored = await swaps.provisional(deps.db, pool);
  const withdrawn = await withdrawnOf(deps, stored, []);
  await swaps.storeProvisional(deps.db, pool, [], withdrawn);
  deps.meters.swapsWithdrawn(withdrawn.length);
  await poolCursors.noteVanished(deps.db, pool, BigInt(slot));
}

async function noteVaults(db: MarketDeps['db'], cursor: IndexedPool, { market }: OpenPool): Promise<void> {
  if (cursor.baseVault === market.baseVault && cursor.quoteVault === market.quoteVault) return;
  await poolCursors.noteVaults(db, cursor.pool, market.baseVault, market.quoteVault);
}

async function readOne(deps: MarketDeps, look: PoolLook, reading: Reading): Promise<PoolRead> {
  deps.heartbeat();
  const { cursor, open, known } = look;
  const { slot, memory } = reading;
  const { entries, isCurrent } = await listHistory(deps, look, reading);
  const isLong = entries.length > deps.settings.chunk;
  const tip = isLong ? newestWholeSlots(entries, deps.settings.chunk) : entries;
  const afterSlot = isLong ? BigInt(tip.at(-1)?.slot ?? 0) - 1n : cursor.finalizedSlot;
  const { transactions, missing } = await known.read(deps, open.market, tip, 'confirmed');
  const outcome = await followTip(deps, look, { entries: tip, transactions, afterSlot: Number(afterSlot) });
  const chain = isLong ? null : linkVault(transactions, cursor.baseRaw);
  const isWhole = missing.length === 0 && (chain === null || chain.whole || cursor.gap !== null);
  const listing = { afterSlot, entries: tip, oldestSlot: entries.at(-1)?.slot ?? null };
  const isComplete = isCurrent && isWhole && explains(deps, look, transactions, reading);
  memory.listings.keep(cursor, listing, isComplete);
  const standing = chain?.whole && missing.length === 0 ? standingAfter(look, chain, slot) : null;
  return { ...outcome, failed: 0, standing };
}

/** True if a transaction has the mark of the pool's present state, or the last transaction carries no mark. */
function explains(
  { exchange }: MarketDeps,
  { cursor }: PoolLook,
  transactions: readonly TimedTransaction[],
  { sights }: Reading,
): boolean {
  const sight = sights.get(cursor.pool);
  // This poll did not read the account: new entries must suffice.
  if (sight === undefined) return true;
  // Another worker has recorded another state since.
  if (sight.hash !== cursor.seen) return false;
  const mark = exchange.markIn(sight.part);
  return transactions.at(-1)?.mark === null || transactions.some((transaction) => transaction.mark === mark);
}

async function listHistory({ rpc }: MarketDeps, { cursor, open }: PoolLook, { slot }: Reading) {
  const list = (minContextSlot: number): Promise<HistoryEntry[]> =>
    rpc.historyOf(open.market.baseVault, {
      commitment: 'confirmed',
      afterSlot: Number(cursor.finalizedSlot),
      minContextSlot,
      limit: MOST_ENTRIES,
    });
  try {
    return { entries: await list(Math.max(slot, Number(cursor.changedSlot))), isCurrent: true };
  } catch (error) {
    if (!saysNotReached(error)) throw error;
    return { entries: await list(slot - FINAL_AFTER_SLOTS), isCurrent: false };
  }
}

/** Returns the newest entries, whole slots only. */
function newestWholeSlots(entries: readonly HistoryEntry[], count: number): readonly HistoryEntry[] {
  const last = entries[count - 1]?.slot ?? 0;
  return entries.filter(({ slot }) => slot >= last);
}

/**
 * Returns the pool's figures after its last transaction; null without a trade, or if the last swap does not show them.
 */
function standingAfter(
  { cursor, open: { supplyRaw } }: PoolLook,
  chain: WholeVaultChain<TimedTransaction>,
  reachedSlot: number,
): PoolStanding | null {
  const traded = chain.steps.findLast((step) => step.swaps.length > 0);
  const priceQuote = traded?.swaps.at(-1)?.priceQuote;
  const quoteVaultRaw = quoteAfter(chain.steps, null);
  const last = chain.steps.at(-1);
  if (!last || priceQuote === undefined || quoteVaultRaw === null) return null;
  // Without a mark only the price of the trade is known, not the pool's.
  if (traded?.mark === null) return null;
  // Never replace a newer state, which a fork may have removed, nor save a slot beyond the chain.
  if (BigInt(last.slot) < (cursor.stateSlot ?? 0n) || last.slot > reachedSlot + NEAR_SLOTS) return null;
  const amounts = { supplyRaw, baseVaultRaw: chain.end, quoteVaultRaw };
  return { cursor, priceQuote, slot: last.slot, ...amounts };
}

/** Saves figures. Reads the accounts of pools whose transactions do not show them. */
async function saveFigures(
  deps: MarketDeps,
  looks: readonly OpenedLook[],
  reads: readonly PoolRead[],
  prices: QuotePrices,
): Promise<void> {
  const told = reads.flatMap(({ standing }) => standing ?? []);
  const untold = looks.filter((_, index) => !reads[index]?.standing);
  const opened = untold.flatMap(({ cursor, opened: open }) => (open ? [standingOf(cursor, open)] : []));
  const others = await readStandings(
    deps,
    untold.filter((look) => !look.opened).map(({ cursor }) => cursor),
  );
  await saveStandings(deps, [...told, ...opened, ...others], prices);
}
