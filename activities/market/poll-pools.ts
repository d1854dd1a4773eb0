import { ACCOUNTS_PER_CALL, comparePools, type PoolPrint } from '../../chain/market/pool-changes.ts';
import { FINAL_AFTER_SLOTS } from '../../chain/rpc/head.ts';
import { inParallel } from '../../chain/rpc/in-parallel.ts';
import * as poolCursors from '../../db/market/pool-cursors.ts';
import type { IndexedPool } from '../../db/market/pool-cursors.ts';
import { batchesOf, fillingBatches } from '../../domain/batches.ts';
import { readReached } from './agreed-slot.ts';
import type { MarketDeps } from './deps.ts';
import { createPollMemory, type PollMemory, type QuietRound } from './poll-memory.ts';
import { NOTHING_DONE, type PoolsOutcome, sumOfOutcomes } from './pools-outcome.ts';
import { readChanged, type Sighted } from './read-changed.ts';
import { settleInTime } from './settle-round.ts';
import { highest } from './line/extremes.ts';

export interface PollReport extends PoolsOutcome {
  readonly pools: number;
  /** Number of pools that were unsettled before the poll. */
  readonly changed: number;
}

const PAGES_AT_ONCE = 4;

/**
 * Reads the recently traded pools and the next quiet ones. Settles if `settleEveryMs` have passed. The cost grows with
 * the swaps, because one call checks a hundred unchanged pools. Safe to repeat and to run concurrently: writes hold the
 * cursor's lock.
 */
export async function pollNext(deps: MarketDeps, memory: PollMemory): Promise<PollReport> {
  const sightings = await nextSightings(deps, memory.round);
  const { report, changed, slot } = await poll(deps, sightings, undefined, memory);
  memory.listings.keepOnly(changed);
  const settled = await settleInTime(deps, changed, slot, memory);
  meterSwaps(deps, settled);
  await meterIndex(deps, slot);
  return withOutcome(report, settled);
}

export async function pollPools(
  deps: MarketDeps,
  pools: readonly string[],
  memory: PollMemory = createPollMemory(),
): Promise<PollReport> {
  return (await poll(deps, await poolCursors.hashes(deps.db, pools), pools, memory)).report;
}

interface PollOutcome {
  readonly report: PollReport;
  /** Unsettled pools. */
  readonly changed: readonly IndexedPool[];
  /** Newest confirmed slot. */
  readonly slot: number;
}

async function poll(
  deps: MarketDeps,
  sightings: readonly PoolPrint[],
  pools: readonly string[] | undefined,
  memory: PollMemory,
): Promise<PollOutcome> {
  const sighted = await noteChanges(deps, sightings);
  const changed = await poolCursors.changed(deps.db, pools);
  const unread = changed.filter((cursor) => !memory.listings.isUpToDate(cursor));
  let report: PollReport = { pools: sightings.length, changed: changed.length, ...NOTHING_DONE };
  for (const page of batchesOf(unread, ACCOUNTS_PER_CALL)) {
    const read = await readChanged(deps, page, sighted, memory);
    report = withOutcome(report, read);
    meterSwaps(deps, read);
  }
  return { report, changed, slot: sighted.slot };
}

function withOutcome(report: PollReport, outcome: PoolsOutcome): PollReport {
  return { ...report, ...sumOfOutcomes([report, outcome]) };
}

function meterSwaps({ meters }: MarketDeps, { stored, withdrawn }: PoolsOutcome): void {
  meters.swapsStored(stored);
  meters.swapsWithdrawn(withdrawn);
}

async function meterIndex({ db, meters }: MarketDeps, slot: number): Promise<void> {
  const { oldestChange, gaps } = await poolCursors.totals(db);
  // A change counts as lag once it can be final. So a stuck settlement shows: the slot goes on.
  const lagSlots = oldestChange === null ? 0 : slot - FINAL_AFTER_SLOTS - Number(oldestChange);
  meters.polled({ lagSlots: Math.max(0, lagSlots), gaps });
}

async function nextSightings({ db, settings }: MarketDeps, round: QuietRound): Promise<PoolPrint[]> {
  const lively = await poolCursors.active(db);
  round.owed += settings.quietPools;
  const count = fillingBatches(lively.length, round.owed, ACCOUNTS_PER_CALL);
  round.owed -= count;
  const quiet = await poolCursors.quiet(db, round.after, count);
  round.after = quiet.length < count ? '' : (quiet.at(-1)?.pool ?? '');
  return [...lively, ...quiet];
}

async function noteChanges(deps: MarketDeps, sightings: readonly PoolPrint[]): Promise<Sighted> {
  const pages = batchesOf(sightings, ACCOUNTS_PER_CALL);
  const read = await inParallel(PAGES_AT_ONCE, pages, (page) => notePage(deps, page));
  return {
    slot: highest(read.map(({ slot }) => slot)) ?? 0,
    sights: new Map(read.flatMap(({ sights }) => [...sights])),
  };
}

async function notePage(deps: MarketDeps, page: readonly PoolPrint[]): Promise<Sighted> {
  const { rpc, db, exchange, meters, heartbeat } = deps;
  heartbeat();
  const compare = () => comparePools(rpc.connection, exchange.tradedPart, page);
  const { slot, different, same, sights } = await readReached(rpc, compare, (prints) => [prints.slot]);
  await poolCursors.noteSeen(db, different, BigInt(slot));
  await poolCursors.renewSeen(db, same);
  meters.poolsRead(page.length);
  return { slot, sights };
}
