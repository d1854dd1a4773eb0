import { NATIVE_MINT } from '@solana/spl-token';
import type { OpenPool } from '../../chain/market/pool-accounts.ts';
import { ACCOUNTS_PER_CALL } from '../../chain/market/pool-changes.ts';
import * as tokenMarkets from '../../db/market/token-markets.ts';
import type { MarketUpdate } from '../../db/market/token-markets.ts';
import * as poolCursors from '../../db/market/pool-cursors.ts';
import type { FiguresNote, IndexedPool } from '../../db/market/pool-cursors.ts';
import { isOutdated, type QuotePrice, reprice } from '../../db/market/reprice.ts';
import * as swaps from '../../db/market/swaps.ts';
import * as pairs from '../../db/pairs.ts';
import type { TradingWindow } from '../../db/market/swaps.ts';
import { batchesOf } from '../../domain/batches.ts';
import { aboutToGraduateUsd, marketFigures, statusBelowGraduation } from '../../domain/market/figures.ts';
import { priceInQuote } from '../../domain/pool-price.ts';
import type { MarketDeps } from './deps.ts';
import { raisePeaks } from './peaks.ts';
import { createQuotePrices, type QuotePrices } from './quote-prices.ts';
import { readPools } from './read-pools.ts';

/** Window of volume and price change, ms. */
export const WINDOW_MS = 24 * 60 * 60 * 1_000;

export interface PoolStanding {
  readonly cursor: IndexedPool;
  /** Per whole base token. */
  readonly priceQuote: string;
  readonly slot: number;
  /** Raw units. */
  readonly supplyRaw: bigint;
  readonly baseVaultRaw: bigint;
  readonly quoteVaultRaw: bigint;
}

export interface FiguresDeps extends Pick<MarketDeps, 'db' | 'now'> {
  readonly settings: Pick<MarketDeps['settings'], 'aboutToGraduateBps'>;
}

export function standingOf(cursor: IndexedPool, { market, state, ...amounts }: OpenPool): PoolStanding {
  const priceQuote = priceInQuote({ ...market, sqrtPriceX64: state.sqrtPriceX64 });
  return { cursor, priceQuote, slot: state.slot, ...amounts };
}

/** Reads pools from one endpoint; skips absent ones. */
export async function readStandings(
  deps: Pick<MarketDeps, 'rpc' | 'exchange'>,
  cursors: readonly IndexedPool[],
): Promise<PoolStanding[]> {
  if (cursors.length === 0) return [];
  const pools = await readPools(deps, cursors);
  return cursors.flatMap((cursor, index) => {
    const open = pools[index];
    return open ? [standingOf(cursor, open)] : [];
  });
}

export interface KnownWindows {
  get(mint: string, since: Date): TradingWindow | undefined;
  keep(window: TradingWindow): void;
}

/** Saves figures. They stay due if swaps are newer than the pool state. */
export async function saveStandings(
  deps: FiguresDeps,
  standings: readonly PoolStanding[],
  prices: QuotePrices,
  known?: KnownWindows,
): Promise<void> {
  if (standings.length === 0) return;
  const now = deps.now();
  const mints = standings.map(({ cursor }) => cursor.mint);
  const since = new Date(now.getTime() - WINDOW_MS);
  const windows = await windowsOf(deps, mints, since, known);
  await prices.ask(standings.map(({ cursor }) => cursor.quoteMint));
  const updates: MarketUpdate[] = [];
  const notes: FiguresNote[] = [];
  for (const standing of standings) {
    const quoteUsd = await prices.present(standing.cursor.quoteMint);
    const window = windows.get(standing.cursor.mint);
    if (!window) throw new Error(`no trading window of token ${standing.cursor.mint}`);
    updates.push(updateOf(deps, standing, window, quoteUsd));
    notes.push(noteOf(standing, window, quoteUsd));
  }
  await tokenMarkets.saveNoted(deps.db, updates, notes);
}

async function windowsOf({ db }: FiguresDeps, mints: readonly string[], since: Date, known?: KnownWindows) {
  const windows = new Map<string, TradingWindow>();
  for (const mint of mints) {
    const window = known?.get(mint, since);
    if (window) windows.set(mint, window);
  }
  const asked = mints.filter((mint) => !windows.has(mint));
  for (const window of asked.length > 0 ? await swaps.windows(db, asked, since) : []) {
    windows.set(window.mint, window);
    known?.keep(window);
  }
  return windows;
}

const REFRESHED_AT_ONCE = 500;

/** Tokens in one statement. Trades in them wait until it ends, so keep it small. */
const REPRICED_AT_ONCE = 1_000;

/** Recomputes figures after a moved quote price, new swaps, or swaps that left the window. */
export async function refreshFigures(deps: MarketDeps): Promise<number> {
  const prices = createQuotePrices(deps, 'samples');
  const known: QuotePrice[] = [];
  const [mints, sold] = await Promise.all([poolCursors.quoteMints(deps.db), mintsOfSales(deps)]);
  await prices.ask([...mints, ...sold]);
  for (const mint of mints) {
    const usd = await prices.present(mint);
    if (usd !== null) known.push({ mint, usd });
  }
  const refreshed = (await repriceAll(deps, known)) + (await refreshOutdated(deps, prices, known));
  await raisePeaks(deps, known);
  return refreshed;
}

/** Lists SOL and launchable pairs. Each round samples their prices, so that dev buys have steady ones. */
async function mintsOfSales({ db }: MarketDeps): Promise<string[]> {
  const launchable = await pairs.list(db, { launchable: true });
  return [NATIVE_MINT.toBase58(), ...launchable.map(({ mint }) => mint)];
}

async function repriceAll({ db, settings, heartbeat }: MarketDeps, prices: readonly QuotePrice[]): Promise<number> {
  const thresholdUsd = aboutToGraduateUsd(settings.aboutToGraduateBps);
  let repriced = 0;
  if (!(await isOutdated(db, prices))) return repriced;
  for (let after: string | null = ''; after !== null;) {
    const done = await reprice(db, { prices, aboutToGraduateUsd: thresholdUsd, limit: REPRICED_AT_ONCE, after });
    repriced += done.tokens;
    after = done.next;
    heartbeat();
  }
  return repriced;
}

async function refreshOutdated(deps: MarketDeps, prices: QuotePrices, known: readonly QuotePrice[]): Promise<number> {
  const { db } = deps;
  const outdated = await poolCursors.outdated(db, deps.now(), known, REFRESHED_AT_ONCE);
  for (const page of batchesOf(outdated, ACCOUNTS_PER_CALL)) {
    await saveStandings(deps, await readStandings(deps, page), prices);
    deps.heartbeat();
  }
  return outdated.length;
}

function updateOf(
  { settings }: FiguresDeps,
  { cursor, priceQuote, slot, supplyRaw, baseVaultRaw, quoteVaultRaw }: PoolStanding,
  window: TradingWindow,
  quoteUsd: string | null,
): MarketUpdate {
  const { baseDecimals, quoteDecimals } = cursor;
  const statusOf = (capUsd: string) => statusBelowGraduation(capUsd, settings.aboutToGraduateBps);
  const figures = marketFigures(
    { priceQuote, supplyRaw, baseDecimals, quoteDecimals, baseVaultRaw, quoteVaultRaw },
    { volumeUsd: window.volumeUsd, priceUsdBefore: priceBefore(cursor, window) },
    quoteUsd,
  );
  return {
    mint: cursor.mint,
    ...figures,
    status: figures.marketCapUsd === null ? cursor.status : statusOf(figures.marketCapUsd),
    // Only settlement raises it.
    highWaterMarketCapUsd: null,
    lastSlot: BigInt(slot),
  };
}

function noteOf(standing: PoolStanding, window: TradingWindow, quoteUsd: string | null): FiguresNote {
  const { cursor, slot, supplyRaw, baseVaultRaw, quoteVaultRaw } = standing;
  return {
    pool: cursor.pool,
    quoteUsd,
    version: isOlder(standing, window) ? NO_VERSION : window.swapsVersion,
    dueAt: dueAt(window),
    stateSlot: BigInt(slot),
    supplyRaw,
    baseVaultRaw,
    quoteVaultRaw,
    priceUsdBefore: priceBefore(cursor, window),
  };
}

/** Version that no pool has: figures saved with it are due at once. */
const NO_VERSION = -1n;

function isOlder({ slot }: PoolStanding, { newestSlot }: TradingWindow): boolean {
  return newestSlot !== null && newestSlot > BigInt(slot);
}

/** Returns USD per whole token 24 hours ago; of a younger token the opening price. */
function priceBefore({ openingPriceUsd }: IndexedPool, { hasEarlier, priceUsdBefore }: TradingWindow): string | null {
  return hasEarlier ? priceUsdBefore : openingPriceUsd;
}

function dueAt({ oldestAt }: TradingWindow): Date | null {
  return oldestAt && new Date(oldestAt.getTime() + WINDOW_MS);
}
