import { type AccountInfo, PublicKey } from '@solana/web3.js';
import { readPoolTransaction } from '../../../chain/market/pool-swaps.ts';
import { ACCOUNTS_PER_CALL, fingerprint } from '../../../chain/market/pool-changes.ts';
import { balanceIn, readBalances } from '../../../chain/market/vault-balances.ts';
import { readTransactions, type TimedTransaction } from '../../../chain/market/vault-history.ts';
import { type HistoryEntry, uniteHistories } from '../../../chain/rpc/history.ts';
import { inParallel } from '../../../chain/rpc/in-parallel.ts';
import type { FinalizedVault } from '../settle.ts';
import { readReached } from '../agreed-slot.ts';
import type { MarketDeps } from '../deps.ts';
import type { FollowedPool, PoolStep } from './followed-pools.ts';
import type { HeardTransaction, MissingTransaction } from './stream-ear.ts';

/** Pools whose vaults and accounts are read with one call. */
export const STANDS_PER_CALL = ACCOUNTS_PER_CALL / 2;

/** More than that are settled piece by piece. */
export const MOST_FILLED = 1_000;

/** A transaction's part in a pool, out of what the stream told; null where it did not touch the vault. */
export function stepOf({ exchange }: MarketDeps, pool: FollowedPool, heard: HeardTransaction): PoolStep | null {
  const { event, blockTime } = heard;
  const response = { ...event.response, blockTime };
  const found = readPoolTransaction(exchange, pool.market, event.signature, response);
  return found && { ...found, blockTime, place: event.index };
}

/** Reads by RPC, with one call, a transaction that the stream did not tell of; null where it is not there or did not touch the vault. */
export async function readMissed(
  { rpc, exchange }: MarketDeps,
  pool: FollowedPool,
  { signature }: MissingTransaction,
): Promise<PoolStep | null> {
  const response = await rpc.getTransactionResponse(signature, 'confirmed');
  const found = response && readPoolTransaction(exchange, pool.market, signature, response);
  if (!found || found.blockTime === null) return null;
  return { ...found, blockTime: found.blockTime, place: 0 };
}

/** What RPC knows of a pool beyond its settled history. */
export interface FoundHistory {
  /** Those that were not known yet. */
  readonly steps: readonly PoolStep[];
  /** True where there is more than is read at once. */
  readonly isTooLong: boolean;
}

/** Whose history is read. */
export interface HistoryWish {
  /** Of all endpoints together. */
  readonly united: boolean;
  /** Who answers must have come this far. */
  readonly minContextSlot: number;
}

/**
 * Reads the history of a pool's vault, and the transactions in it that are not known: one call, and one for each of these.
 */
export async function readHistory(
  deps: MarketDeps,
  pool: FollowedPool,
  { united, minContextSlot }: HistoryWish,
): Promise<FoundHistory> {
  const { tail, market } = pool;
  const range = { commitment: 'confirmed', afterSlot: tail.start.slot, limit: 1_000_000, minContextSlot } as const;
  const entries = united
    ? uniteHistories(await deps.rpc.historiesOf(market.baseVault, range))
    : await deps.rpc.historyOf(market.baseVault, range);
  if (entries.length > MOST_FILLED) return { steps: [], isTooLong: true };
  const unknown = entries.filter(({ signature }) => !tail.has(signature));
  const { transactions } = await readTransactions(deps, market, unknown, 'confirmed');
  return {
    steps: transactions.map((transaction) => ({ ...transaction, place: placeOf(entries, transaction) })),
    isTooLong: false,
  };
}

/** Its place among the entries of its slot, which are newest first. */
function placeOf(entries: readonly HistoryEntry[], { signature, slot }: TimedTransaction): number {
  const ofSlot = entries.filter((entry) => entry.slot === slot).toReversed();
  return ofSlot.findIndex((entry) => entry.signature === signature);
}

/** Pages of vaults that are read at once. */
const PAGES_AT_ONCE = 4;

/** What the base vaults hold beyond any fork, by pool, each with the slot that it was read at: one call for a hundred. */
export async function readVaults(
  { rpc }: MarketDeps,
  pools: readonly { readonly pool: string; readonly baseVault: string }[],
): Promise<ReadonlyMap<string, FinalizedVault>> {
  const pages = Array.from({ length: Math.ceil(pools.length / ACCOUNTS_PER_CALL) }, (_, page) =>
    pools.slice(page * ACCOUNTS_PER_CALL, (page + 1) * ACCOUNTS_PER_CALL),
  );
  const read = await inParallel(PAGES_AT_ONCE, pages, async (page) => {
    const accounts = page.map(({ baseVault }) => baseVault);
    const { slot, raw } = await readBalances(rpc.connection, accounts, 'finalized');
    return page.map(({ pool }, index) => [pool, { slot, raw: raw[index] ?? 0n }] as const);
  });
  return new Map(read.flat());
}

/** The same of up to a hundred pools, and what is final by a quorum's word, with one call to each endpoint. */
export async function readVaultsAgreed(
  { rpc }: MarketDeps,
  pools: readonly { readonly pool: string; readonly baseVault: string }[],
): Promise<{ readonly finalized: number; readonly vaults: ReadonlyMap<string, FinalizedVault> }> {
  const { agreedSlot, slot, accounts } = await rpc.finalizedReading(pools.map(({ baseVault }) => baseVault));
  const vaults = pools.map(({ pool }, index) => [pool, { slot, raw: balanceIn(accounts[index] ?? null) }] as const);
  return { finalized: agreedSlot, vaults: new Map(vaults) };
}

/** How a pool stands beyond any fork. */
export interface PoolStand extends FinalizedVault {
  /** Fingerprint of its account: every swap changes it, also one that leaves the vault as it was before an earlier swap. */
  readonly hash: string | null;
  readonly account: AccountInfo<Buffer> | null;
}

/** Reads vaults and accounts of up to `STANDS_PER_CALL` pools with one call. */
export async function readStands(
  { rpc, exchange }: MarketDeps,
  pools: readonly { readonly pool: string; readonly baseVault: string }[],
): Promise<ReadonlyMap<string, PoolStand>> {
  const keys = pools.flatMap(({ pool, baseVault }) => [new PublicKey(pool), new PublicKey(baseVault)]);
  const read = () => rpc.connection.getMultipleAccountsInfoAndContext(keys, 'finalized');
  const { value, context } = await readReached(rpc, read, (answer) => [answer.context.slot]);
  return new Map(
    pools.map(({ pool }, index) => {
      const [account, vault] = [value[2 * index] ?? null, value[2 * index + 1] ?? null];
      const hash = fingerprint(account, exchange.tradedPart);
      return [pool, { slot: context.slot, raw: balanceIn(vault), hash, account }];
    }),
  );
}
