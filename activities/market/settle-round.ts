import { FINAL_STANDS_PER_CALL } from '../../chain/market/final-stands.ts';
import { MOST_ENTRIES } from '../../chain/market/vault-history.ts';
import { FINAL_AFTER_SLOTS } from '../../chain/rpc/head.ts';
import type { HistoryEntry } from '../../chain/rpc/history.ts';
import { inParallel } from '../../chain/rpc/in-parallel.ts';
import * as poolCursors from '../../db/market/pool-cursors.ts';
import type { IndexedPool } from '../../db/market/pool-cursors.ts';
import { batchesOf } from '../../domain/batches.ts';
import type { MarketDeps } from './deps.ts';
import { type DuePool, type DuePools, readDuePools } from './due-pools.ts';
import { readStandings, saveStandings } from './figures.ts';
import { followTip } from './follow-tip.ts';
import type { PollMemory } from './poll-memory.ts';
import { NOTHING_DONE, POOLS_AT_ONCE, type PoolsOutcome, sumOfOutcomes, countingFailures } from './pools-outcome.ts';
import { provenListings } from './proven-listings.ts';
import { createQuotePrices, type QuotePrices } from './quote-prices.ts';
import { settlePool } from './settle.ts';
import { type ProvenOutcome, type ProvenPool, settleProven } from './settle-proven.ts';

interface Round extends Pick<DuePools, 'slot'> {
  /** By a quorum. */
  readonly untilSlot: number;
  readonly memory: PollMemory;
  readonly prices: QuotePrices;
}

/**
 * Settles changed pools if `settleEveryMs` have passed. One call reads the vaults of 33 pools, one 256 statuses. If
 * that does not prove a pool's listing, the pool is listed again.
 * @param slot of the account readings, confirmed
 */
export async function settleInTime(
  deps: MarketDeps,
  changed: readonly IndexedPool[],
  slot: number,
  memory: PollMemory,
): Promise<PoolsOutcome> {
  const { pace } = memory;
  if (performance.now() - pace.at < deps.settings.settleEveryMs) return NOTHING_DONE;
  const due = changed.filter((cursor) => mayBeFinal(cursor, slot, memory));
  if (due.length === 0) return NOTHING_DONE;
  pace.at = performance.now();
  const outcomes: PoolsOutcome[] = [];
  for (const page of batchesOf(due, FINAL_STANDS_PER_CALL)) {
    deps.heartbeat();
    outcomes.push(await countingFailures(deps, page, () => settlePage(deps, page, memory)));
  }
  return sumOfOutcomes(outcomes);
}

/** Takes the lower slot: one endpoint may have invented a high one. */
function mayBeFinal(cursor: IndexedPool, slot: number, { listings }: PollMemory): boolean {
  const changedSlot = Number(cursor.changedSlot);
  const oldest = Math.min(listings.oldestOpen(cursor) ?? changedSlot, changedSlot);
  return cursor.seen !== null && slot - oldest >= FINAL_AFTER_SLOTS;
}

async function settlePage(
  deps: MarketDeps,
  changed: readonly IndexedPool[],
  memory: PollMemory,
): Promise<PoolsOutcome> {
  // Read again: the last poll may have moved the cursors.
  const cursors = await poolCursors.byPools(
    deps.db,
    changed.map(({ pool }) => pool),
  );
  const { slot, agreedSlot, pools } = await readDuePools(deps, cursors);
  const near = pools.filter((pool) => hasToSettle(pool, slot, memory));
  if (near.length === 0) return NOTHING_DONE;
  const untilSlot = Math.min(slot, await agreedSlot());
  const round = { slot, untilSlot, memory, prices: createQuotePrices(deps) };
  const due = near.filter((pool) => hasToSettle(pool, untilSlot, memory));
  const listings = await provenListings(deps, due, round);
  const proven = due.flatMap((pool) => {
    const listing = listings.get(pool.cursor.pool);
    return listing ? [{ ...pool, listing }] : [];
  });
  const together = await settleTogether(deps, proven, round);
  const others = together === null ? due : due.filter(({ cursor }) => !listings.has(cursor.pool));
  const anew = await relistAndSettle(deps, others, round);
  const moved = [...(together?.moved ?? []), ...anew.moved].map(({ cursor }) => cursor);
  await saveStandings(deps, await readStandings(deps, moved), round.prices);
  return { ...anew, stored: anew.stored + (together?.stored ?? 0) };
}

/** True if something of the pool is final and unsettled. Later changes wait. */
function hasToSettle({ cursor, rows }: DuePool, slot: number, memory: PollMemory): boolean {
  if (slot <= cursor.finalizedSlot) return false;
  const { changedSlot } = cursor;
  const oldest = memory.listings.oldestOpen(cursor);
  const isFinal = (oldest !== null && oldest <= slot) || (changedSlot !== null && changedSlot <= slot);
  return isFinal || rows.some((row) => row.slot <= slot);
}

/** Null if it fails. One pool may be the cause, so the caller then settles each alone. */
async function settleTogether(
  deps: MarketDeps,
  pools: readonly ProvenPool[],
  round: Round,
): Promise<ProvenOutcome | null> {
  if (pools.length === 0) return { stored: 0, moved: [] };
  try {
    return await settleProven(deps, pools, round.untilSlot, round.prices);
  } catch (error) {
    deps.logger.warn({ err: error, pools: pools.length }, 'pools could not be settled together');
    return null;
  }
}

async function relistAndSettle(deps: MarketDeps, pools: readonly DuePool[], round: Round) {
  const outcomes = await inParallel(POOLS_AT_ONCE, pools, (pool) =>
    countingFailures(deps, [pool.cursor], () => settleOne(deps, pool, round)),
  );
  const moved = pools.filter((pool, index) => changesFigures(pool, outcomes[index] ?? NOTHING_DONE, round.slot));
  return { ...sumOfOutcomes(outcomes), moved };
}

async function settleOne(deps: MarketDeps, pool: DuePool, round: Round): Promise<PoolsOutcome> {
  deps.heartbeat();
  const { cursor, market, stand } = pool;
  const { slot, untilSlot, prices, memory } = round;
  const entries = await relist(deps, pool, slot);
  const reading = { cursor, open: { market, supplyRaw: stand.supplyRaw }, prices };
  const { baseRaw: raw, quoteRaw } = stand;
  const vault = { slot, raw, quoteRaw, agreedSlot: untilSlot };
  // A fork may have removed later swaps that are no longer listed.
  const followed = await followTip(deps, reading, { afterSlot: slot, entries, transactions: [] });
  const settled = await settlePool(deps, reading, vault, { entries, known: memory.known });
  return sumOfOutcomes([
    { ...followed, failed: 0 },
    { ...settled, failed: 0 },
  ]);
}

/** Lists the history from an endpoint that has reached the vault reading. */
function relist({ rpc }: MarketDeps, { cursor, market }: DuePool, slot: number): Promise<HistoryEntry[]> {
  return rpc.historyOf(market.baseVault, {
    commitment: 'confirmed',
    afterSlot: Number(cursor.finalizedSlot),
    minContextSlot: slot,
    limit: MOST_ENTRIES,
  });
}

function changesFigures({ rows }: DuePool, { stored, withdrawn, failed }: PoolsOutcome, slot: number): boolean {
  return failed === 0 && (stored + withdrawn > 0 || !rows.some((row) => row.slot <= slot));
}
