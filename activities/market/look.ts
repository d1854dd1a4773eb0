import type { OpenPool } from '../../chain/market/pool-accounts.ts';
import { ACCOUNTS_PER_CALL, comparePools, type PoolPrint } from '../../chain/market/pool-changes.ts';
import { KnownTransactions } from '../../chain/market/known-transactions.ts';
import { readAllBalances } from '../../chain/market/vault-balances.ts';
import { MOST_ENTRIES } from '../../chain/market/vault-history.ts';
import { inParallel } from '../../chain/rpc/in-parallel.ts';
import * as poolCursors from '../../db/market/pool-cursors.ts';
import type { IndexedPool } from '../../db/market/pool-cursors.ts';
import * as swaps from '../../db/market/swaps.ts';
import { batchesOf, fillingBatches } from '../../domain/batches.ts';
import { createAgreedSlot, readReached } from './agreed-slot.ts';
import type { MarketDeps } from './deps.ts';
import { saveFigures } from './figures.ts';
import { followTip, type PoolLook, withdrawnOf } from './follow-tip.ts';
import { createQuotePrices } from './quote-prices.ts';
import { readPools } from './read-pools.ts';
import { type FinalizedVault, settlePool } from './settle.ts';
import { lowest } from './stream/extremes.ts';

/** What a look did. */
export interface LookReport {
  /** Pool accounts that were read. */
  readonly pools: number;
  /** Pools whose history was read, because something changed that is not settled yet. */
  readonly changed: number;
  /** Swaps that were stored and are new, or not what they were. */
  readonly stored: number;
  readonly withdrawn: number;
  /** Pools whose history could not be read; they are tried again at the next look. */
  readonly failed: number;
}

/** Pools whose histories are read at once. */
const POOLS_AT_ONCE = 4;
/** Pages of pool accounts that are read at once. */
const PAGES_AT_ONCE = 4;

/** Which of the quiet pools were looked at last; looks go round among them. */
export interface QuietRound {
  /** The last one's address; empty where the next is the first of all. */
  after: string;
  /** How many more earlier looks should have taken in: they come once they fill a call. */
  owed: number;
}

/** What looks remember; everything in it can be forgotten. */
export interface LookMemory {
  readonly round: QuietRound;
  readonly known: KnownTransactions;
}

/** Of no look yet. */
export function createLookMemory(): LookMemory {
  return { round: { after: '', owed: 0 }, known: new KnownTransactions() };
}

/**
 * Reads the accounts of all pools that traded lately and of the next quiet ones, and brings the swaps of those that changed up to
 * date. What it costs grows with the pools that traded: of all others a part of one account is read, a hundred with a call. May
 * be done again at any time, and by several at once: what is stored is decided under the lock of the pool's cursor.
 */
export async function lookAtNext(deps: MarketDeps, memory: LookMemory): Promise<LookReport> {
  const sightings = await nextSightings(deps, memory.round);
  const { finalSlot, report } = await lookAt(deps, sightings, undefined, memory.known);
  await meterIndex(deps, finalSlot);
  return report;
}

/** The same for these pools. */
export async function lookAtPools(
  deps: MarketDeps,
  pools: readonly string[],
  { known }: LookMemory = createLookMemory(),
): Promise<LookReport> {
  return (await lookAt(deps, await poolCursors.sightings(deps.db, pools), pools, known)).report;
}

interface LookOutcome {
  readonly report: LookReport;
  /** A finalized slot that vaults were read at; null where none was. */
  readonly finalSlot: number | null;
}

async function lookAt(
  deps: MarketDeps,
  sightings: readonly PoolPrint[],
  pools: readonly string[] | undefined,
  known: KnownTransactions,
): Promise<LookOutcome> {
  await noteChanges(deps, sightings);
  const changed = await poolCursors.changed(deps.db, pools);
  const done = { stored: 0, withdrawn: 0, failed: 0 };
  let finalSlot: number | null = null;
  for (const page of batchesOf(changed, ACCOUNTS_PER_CALL)) {
    const read = await readChanged(deps, page, known);
    done.stored += read.stored;
    done.withdrawn += read.withdrawn;
    done.failed += read.failed;
    finalSlot = read.finalSlot ?? finalSlot;
  }
  deps.meters.swapsStored(done.stored);
  deps.meters.swapsWithdrawn(done.withdrawn);
  return { report: { pools: sightings.length, changed: changed.length, ...done }, finalSlot };
}

/** @param finalSlot a finalized slot that the look read anyway, where it did */
async function meterIndex({ db, rpc, meters }: MarketDeps, finalSlot: number | null): Promise<void> {
  const { oldestChange, gaps } = await poolCursors.totals(db);
  const final = async (): Promise<number> => finalSlot ?? (await rpc.head('finalized')).slot;
  const lagSlots = oldestChange === null ? 0 : (await final()) - Number(oldestChange);
  // A change that is not finalized yet is no lag.
  meters.looked({ lagSlots: Math.max(0, lagSlots), gaps });
}

async function nextSightings({ db, settings }: MarketDeps, round: QuietRound): Promise<PoolPrint[]> {
  const lively = await poolCursors.lively(db);
  round.owed += settings.quietPools;
  const count = fillingBatches(lively.length, round.owed, ACCOUNTS_PER_CALL);
  round.owed -= count;
  const quiet = await poolCursors.quiet(db, round.after, count);
  round.after = quiet.length < count ? '' : (quiet.at(-1)?.pool ?? '');
  return [...lively, ...quiet];
}

async function noteChanges(deps: MarketDeps, sightings: readonly PoolPrint[]): Promise<void> {
  await inParallel(PAGES_AT_ONCE, batchesOf(sightings, ACCOUNTS_PER_CALL), (page) => notePage(deps, page));
}

async function notePage(deps: MarketDeps, page: readonly PoolPrint[]): Promise<void> {
  const { rpc, db, exchange, meters, heartbeat } = deps;
  heartbeat();
  const compare = () => comparePools(rpc.connection, exchange.tradedPart, page);
  const { slot, different, same } = await readReached(rpc, compare, (prints) => [prints.slot]);
  await poolCursors.noteSeen(db, different, BigInt(slot));
  await poolCursors.renewSeen(db, same);
  meters.poolsRead(page.length);
}

interface PoolOutcome {
  readonly stored: number;
  readonly withdrawn: number;
  readonly failed: number;
}

type PageOutcome = PoolOutcome & Pick<LookOutcome, 'finalSlot'>;

/** Up to 100 pools that changed. One that cannot be read does not keep the others. */
async function readChanged(
  deps: MarketDeps,
  cursors: readonly IndexedPool[],
  known: KnownTransactions,
): Promise<PageOutcome> {
  const prices = createQuotePrices(deps);
  const looks = await openLooks(deps, cursors, { prices, known });
  const vaults = await finalizedVaults(deps, looks);
  const outcomes = await inParallel(POOLS_AT_ONCE, looks, async (look) => {
    deps.heartbeat();
    const vault = vaults.get(look.cursor.pool);
    try {
      return vault ? { ...(await followPool(deps, look, vault)), failed: 0 } : NOTHING;
    } catch (error) {
      deps.logger.warn({ err: error, pool: look.cursor.pool }, 'the history of a pool could not be read');
      deps.meters.poolFailed();
      return { stored: 0, withdrawn: 0, failed: 1 };
    }
  });
  await saveFigures(deps, looks, prices);
  return {
    stored: outcomes.reduce((sum, { stored }) => sum + stored, 0),
    withdrawn: outcomes.reduce((sum, { withdrawn }) => sum + withdrawn, 0),
    failed: outcomes.reduce((sum, { failed }) => sum + failed, 0),
    finalSlot: lowest([...vaults.values()].map(({ slot }) => slot)),
  };
}

const NOTHING: PoolOutcome = { stored: 0, withdrawn: 0, failed: 0 };

/** A pool that is not there any more was taken by a fork, and its swaps with it. */
async function openLooks(
  deps: MarketDeps,
  cursors: readonly IndexedPool[],
  shared: Pick<PoolLook, 'prices' | 'known'>,
): Promise<PoolLook[]> {
  const { db } = deps;
  const pools = await readPools(deps, cursors);
  for (const cursor of cursors.filter((_, index) => !pools[index])) await followVanished(deps, cursor);
  const looks = cursors.flatMap((cursor, index) => {
    const open = pools[index];
    return open ? [{ cursor, open, ...shared }] : [];
  });
  for (const { cursor, open } of looks) await noteVaults(db, cursor, open);
  return looks;
}

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

/** Where each base vault stands beyond any fork, all as of one slot: up to there histories must add up. */
async function finalizedVaults(
  { rpc }: MarketDeps,
  looks: readonly PoolLook[],
): Promise<ReadonlyMap<string, FinalizedVault>> {
  if (looks.length === 0) return new Map();
  const accounts = looks.map(({ open }) => open.market.baseVault);
  const agreed = createAgreedSlot(rpc);
  const { slot, raw } = await readAllBalances(rpc.connection, accounts, 'finalized');
  const agreedSlot = () => agreed(slot);
  return new Map(looks.map(({ cursor }, index) => [cursor.pool, { slot, raw: raw[index] ?? 0n, agreedSlot }]));
}

/** First what is new, so that it shows; then what has become final. */
async function followPool(deps: MarketDeps, look: PoolLook, vault: FinalizedVault) {
  const { cursor, open } = look;
  const entries = await deps.rpc.historyOf(open.market.baseVault, {
    commitment: 'confirmed',
    afterSlot: Number(cursor.finalizedSlot),
    minContextSlot: vault.slot,
    limit: MOST_ENTRIES,
  });
  const tip = entries.filter(({ slot }) => slot > vault.slot);
  const followed = await followTip(deps, look, tip, vault.slot);
  if (!(await hasToSettle(deps, look, vault, entries.length > tip.length))) return followed;
  const settled = await settlePool(deps, look, vault, { entries, known: look.known });
  return { stored: followed.stored + settled.stored, withdrawn: followed.withdrawn + settled.withdrawn };
}

/** A change that lies beyond finality is waited for; everything before is settled as it comes. */
async function hasToSettle(
  { db }: MarketDeps,
  { cursor }: PoolLook,
  vault: FinalizedVault,
  hasOlderEntries: boolean,
): Promise<boolean> {
  if (vault.slot <= cursor.finalizedSlot) return false;
  if (hasOlderEntries || (cursor.changedSlot ?? 0n) <= vault.slot) return true;
  const [oldest] = await swaps.provisional(db, cursor.pool);
  return oldest !== undefined && oldest.slot <= vault.slot;
}
