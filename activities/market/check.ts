import { type OpenPool, readOpenPools } from '../../chain/market/pool-accounts.ts';
import { mayHaveMissedSwap } from '../../chain/market/pool-swaps.ts';
import { readBalances } from '../../chain/market/vault-balances.ts';
import { MOST_ENTRIES, readTransactions, type TimedTransaction } from '../../chain/market/vault-history.ts';
import { uniteHistories } from '../../chain/rpc/history.ts';
import * as poolCursors from '../../db/market/pool-cursors.ts';
import type { IndexedPool } from '../../db/market/pool-cursors.ts';
import * as swapArchives from '../../db/market/swap-archives.ts';
import { replaceSwaps, SLOTS_UNTIL_FINAL } from '../../db/market/swap-repair.ts';
import * as swaps from '../../db/market/swaps.ts';
import type { NewSwap } from '../../db/market/swaps.ts';
import { compareSwaps, type SwapDifferences } from '../../domain/market/check.ts';
import { highestMarketCap } from '../../domain/market/figures.ts';
import { linkVault } from '../../domain/market/vault-chain.ts';
import { createAgreedSlot } from './agreed-slot.ts';
import type { MarketDeps } from './deps.ts';
import { priceSwaps } from './price-swaps.ts';
import { createQuotePrices } from './quote-prices.ts';
import { beforeSlot } from './settle.ts';
import { withSteadyPrices } from './steady-caps.ts';

export interface MarketCheckRequest {
  readonly mint: string;
  readonly repair: boolean;
  /** Repair despite a gap that no endpoint fills. The gap's swaps are lost for ever. */
  readonly acceptGap: boolean;
  readonly actor: string;
  readonly note?: string;
}

export interface MarketCheckReport extends SwapDifferences {
  readonly mint: string;
  readonly pool: string;
  /** Slot up to which was compared: the cursor's, or after a repair the newest finalized one. */
  readonly untilSlot: number;
  readonly counted: number;
  /** Null if the history adds up. */
  readonly gap: string | null;
  /** Signatures of transactions that moved both vaults like a swap but cannot be decoded. */
  readonly unread: readonly string[];
  readonly repaired: boolean;
}

export type MarketCheckActivities = ReturnType<typeof createMarketCheckActivities>;

export function createMarketCheckActivities(deps: MarketDeps) {
  return {
    /** Compares the chain's swaps with the stored ones. Null for an unknown token. */
    checkMarket: (request: MarketCheckRequest): Promise<MarketCheckReport | null> => checkMarket(deps, request),
  };
}

/** True if the cursor names a slot that the chain has not reached: the index would never get past it. */
function isBeyond({ changedSlot, stateSlot }: IndexedPool, untilSlot: bigint): boolean {
  const noted = [changedSlot, stateSlot].flatMap((slot) => slot ?? []);
  return noted.some((slot) => slot > untilSlot + SLOTS_UNTIL_FINAL);
}

/** A pool's history, reread from all endpoints, up to a finalized slot. */
interface Recount {
  readonly transactions: readonly TimedTransaction[];
  readonly swaps: readonly NewSwap[];
  readonly untilSlot: bigint;
  readonly baseRaw: bigint;
  readonly gap: string | null;
}

async function checkMarket(deps: MarketDeps, request: MarketCheckRequest): Promise<MarketCheckReport | null> {
  const cursor = await poolCursors.byMint(deps.db, request.mint);
  if (cursor === null) return null;
  const [open] = await readOpenPools(deps.exchange, deps.rpc.connection, [cursor]);
  if (!open) throw new Error(`pool ${cursor.pool} of ${cursor.mint} is not on the chain`);
  const recount = await countAnew(deps, cursor, open);
  const differences = await compare(deps, cursor, recount);
  const { missing, extra, different } = differences;
  const differing = missing.length + extra.length + different.length;
  const isOff = differing > 0 || cursor.gap !== null || isBeyond(cursor, recount.untilSlot);
  const repaired = request.repair && isOff && (recount.gap === null || request.acceptGap);
  if (repaired) await repair(deps, cursor, recount, request);
  return {
    mint: cursor.mint,
    pool: cursor.pool,
    ...differences,
    gap: recount.gap,
    repaired,
    untilSlot: Number(repaired ? recount.untilSlot : cursor.finalizedSlot),
    counted: recount.swaps.length,
    unread: recount.transactions.filter(mayHaveMissedSwap).map(({ signature }) => signature),
  };
}

async function countAnew(deps: MarketDeps, cursor: IndexedPool, open: OpenPool): Promise<Recount> {
  const { rpc, db } = deps;
  const { baseVault } = open.market;
  const agreedSlot = createAgreedSlot(rpc);
  const vault = await readBalances(rpc.connection, [baseVault], 'finalized');
  const until = Math.min(vault.slot, await agreedSlot(vault.slot));
  const range = { commitment: 'finalized', minContextSlot: vault.slot, limit: MOST_ENTRIES } as const;
  const entries = uniteHistories(await rpc.historiesOf(baseVault, range)).filter(({ slot }) => slot <= vault.slot);
  const { transactions, missing } = await readTransactions(deps, open.market, entries, 'finalized');
  deps.heartbeat();
  const end = vault.raw[0] ?? 0n;
  const chain = linkVault(transactions, 0n);
  const proven = beforeSlot({ transactions: chain.whole ? chain.steps : transactions, end }, until + 1);
  const untilSlot = BigInt(until);
  const stored = await swaps.ofPool(db, cursor.pool, untilSlot);
  const batch = { cursor, supplyRaw: open.supplyRaw, transactions: proven.transactions, stored };
  const priced = await priceSwaps(createQuotePrices(deps), batch);
  const { transactions: counted, end: baseRaw } = proven;
  return { transactions: counted, swaps: priced, untilSlot, baseRaw, gap: gapOf(chain, missing, end) };
}

function gapOf(
  chain: ReturnType<typeof linkVault>,
  missing: readonly { readonly signature: string }[],
  baseRaw: bigint,
): string | null {
  const [lost] = missing;
  if (lost) return `no endpoint has transaction ${lost.signature}`;
  if (!chain.whole) return chain.gap;
  return chain.end === baseRaw ? null : `the known history ends with ${chain.end}, the vault holds ${baseRaw}`;
}

async function compare(
  { db }: MarketDeps,
  cursor: IndexedPool,
  { swaps: recounted, gap }: Recount,
): Promise<SwapDifferences> {
  const removedUntil = await swapArchives.removedUntil(db);
  const isThere = ({ slot }: { slot: bigint }) =>
    slot <= cursor.finalizedSlot && (removedUntil === null || slot > removedUntil);
  const stored = (await swaps.ofPool(db, cursor.pool, cursor.finalizedSlot)).filter(isThere);
  const counted = recounted.filter(isThere);
  const differences = compareSwaps(stored, counted);
  // An incomplete history does not prove a stored swap extra.
  return gap === null ? differences : { ...differences, extra: [] };
}

async function repair(
  deps: MarketDeps,
  { pool, mint, quoteMint, baseDecimals }: IndexedPool,
  { swaps, untilSlot, baseRaw, gap }: Recount,
  { actor, note }: MarketCheckRequest,
): Promise<void> {
  const { db, rpc, logger } = deps;
  const [steady = []] = await withSteadyPrices(deps, [{ quoteMint, swaps }]);
  const highestCapUsd = highestMarketCap(steady, baseDecimals);
  const isWhole = gap === null;
  const finalSlot = BigInt((await rpc.agreedHead('finalized')).slot);
  const history = { pool, mint, untilSlot, finalSlot, baseRaw, swaps, highestCapUsd, isWhole, actor };
  await replaceSwaps(db, { ...history, ...(note && { note }) });
  logger.warn({ pool, mint, actor, swaps: swaps.length }, 'the swaps of a token were counted again');
}
