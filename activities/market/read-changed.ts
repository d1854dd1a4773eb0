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
import type { LookMemory } from './look-memory.ts';
import { POOLS_AT_ONCE, type PoolsOutcome, sumOfOutcomes, unlessItFails } from './pools-outcome.ts';
import { createQuotePrices, type QuotePrices } from './quote-prices.ts';
import { readPools } from './read-pools.ts';
import { marketPoolOf } from './stream/watch-list.ts';

/** What a look has read of accounts. */
export interface Sighted extends Pick<PoolPrints, 'sights'> {
  /** The newest slot that they were read at, confirmed; 0 where none was. */
  readonly slot: number;
}

/** What changed pools are read with. */
interface Reading extends Sighted {
  readonly prices: QuotePrices;
  readonly memory: LookMemory;
}

/** One pool after it was read. */
interface PoolRead extends PoolsOutcome {
  /** How it stands by what is known of it; null where that is not known, and the pool is read for it. */
  readonly standing?: PoolStanding | null;
}

/**
 * Lists the histories of up to 100 pools that changed, and stores what is new in them, so that it shows. One that cannot be read does
 * not keep the others.
 */
export async function readChanged(
  deps: MarketDeps,
  cursors: readonly IndexedPool[],
  sighted: Sighted,
  memory: LookMemory,
): Promise<PoolsOutcome> {
  const reading = { ...sighted, prices: createQuotePrices(deps), memory };
  const looks = await openLooks(deps, cursors, reading);
  const reads = await inParallel(POOLS_AT_ONCE, looks, (look) =>
    unlessItFails<PoolRead>(deps, [look.cursor], () => readOne(deps, look, reading)),
  );
  await saveFigures(deps, looks, reads, reading.prices);
  return sumOfOutcomes(reads);
}

/** A pool that is looked at, with its accounts where they were read. */
type OpenedLook = PoolLook & { readonly opened?: OpenPool };

/** Of pools that were never read, and of those that may be gone, the accounts are read. */
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

/** A pool whose vaults and supply were read before; what burned since counts once the swaps are final. */
function knownLook(cursor: IndexedPool, shared: Pick<PoolLook, 'prices' | 'known'>): PoolLook | null {
  const market = marketPoolOf(cursor);
  const { seen, supplyRaw } = cursor;
  return market && seen !== null && supplyRaw !== null ? { cursor, open: { market, supplyRaw }, ...shared } : null;
}

/** A pool that is not there any more was taken by a fork, and its swaps with it. */
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
  // What lies further back than so many is settled piece by piece.
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

/**
 * Whether what changed the pool's account is among what was listed: a swap that left it as it was seen, or in the end one that does not
 * tell how it left it.
 */
function explains(
  { exchange }: MarketDeps,
  { cursor }: PoolLook,
  transactions: readonly TimedTransaction[],
  { sights }: Reading,
): boolean {
  const sight = sights.get(cursor.pool);
  // Nobody looked at it now: that there is something new has to do.
  if (sight === undefined) return true;
  // Somebody else saw it otherwise meanwhile.
  if (sight.hash !== cursor.seen) return false;
  const mark = exchange.markIn(sight.part);
  return transactions.at(-1)?.mark === null || transactions.some((transaction) => transaction.mark === mark);
}

/**
 * By an endpoint that has come as far as the pool was seen to change. One that is behind lists what it has, and is asked again at the next
 * look.
 */
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

/** About so many of entries that are newest first, without a part of a slot. */
function newestWholeSlots(entries: readonly HistoryEntry[], count: number): readonly HistoryEntry[] {
  const last = entries[count - 1]?.slot ?? 0;
  return entries.filter(({ slot }) => slot >= last);
}

/** How a pool stands after all that happened to it; null where nobody traded. */
function standingAfter(
  { cursor, open: { supplyRaw } }: PoolLook,
  chain: WholeVaultChain<TimedTransaction>,
  reachedSlot: number,
): PoolStanding | null {
  const priceQuote = chain.steps.flatMap((step) => step.swaps).at(-1)?.priceQuote;
  const quoteVaultRaw = quoteAfter(chain.steps, null);
  const last = chain.steps.at(-1);
  if (!last || priceQuote === undefined || quoteVaultRaw === null) return null;
  // What is known of a later slot, which a fork may have taken, must not become older; nor is one noted that is not there yet.
  if (BigInt(last.slot) < (cursor.stateSlot ?? 0n) || last.slot > reachedSlot + NEAR_SLOTS) return null;
  const amounts = { supplyRaw, baseVaultRaw: chain.end, quoteVaultRaw };
  return { cursor, priceQuote, slot: last.slot, ...amounts };
}

/** Of pools whose standing their transactions do not tell the accounts are read, at most once. */
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
