import { type AccountInfo, PublicKey } from '@solana/web3.js';
import { readPoolTransaction } from '../../../../chain/market/pool-swaps.ts';
import { ACCOUNTS_PER_CALL, fingerprint } from '../../../../chain/market/pool-changes.ts';
import { balanceIn, readBalances } from '../../../../chain/market/vault-balances.ts';
import { readTransactions, type TimedTransaction } from '../../../../chain/market/vault-history.ts';
import { type HistoryEntry, uniteHistories } from '../../../../chain/rpc/history.ts';
import { inParallel } from '../../../../chain/rpc/in-parallel.ts';
import { batchesOf } from '../../../../domain/batches.ts';
import type { FinalizedVault } from '../../settle.ts';
import { readReached } from '../../agreed-slot.ts';
import type { MarketDeps } from '../../deps.ts';
import type { FollowedPool } from '../followed-pools.ts';
import type { MissingTransaction } from '../observed/missed.ts';
import type { ReceivedTransaction } from '../observed/waiting.ts';
import type { PoolStep } from './ordered-pool.ts';

/** Pools per call, with two accounts each. */
export const STANDS_PER_CALL = ACCOUNTS_PER_CALL / 2;

/** Number of transactions above which history is read in chunks. */
export const MOST_FILLED = 1_000;

/** Returns the transaction as a step of the pool; null if it did not touch the vault. */
export function stepOf({ exchange }: MarketDeps, pool: FollowedPool, heard: ReceivedTransaction): PoolStep | null {
  const { event, blockTime } = heard;
  const response = { ...event.response, blockTime };
  const found = readPoolTransaction(exchange, pool.market, event.signature, response);
  return found && { ...found, blockTime, place: event.index };
}

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

export interface FoundHistory {
  /** Only transactions that the tail does not have. */
  readonly steps: readonly PoolStep[];
  readonly isTooLong: boolean;
}

export interface HistoryWish {
  /** True: the union of all endpoints' histories. */
  readonly united: boolean;
  readonly minContextSlot: number;
}

/** Reads the history with one call, plus one per unknown transaction. */
export async function readHistory(
  deps: MarketDeps,
  pool: FollowedPool,
  { united, minContextSlot }: HistoryWish,
): Promise<FoundHistory> {
  const {
    ordered: { tail },
    market,
  } = pool;
  const range = { commitment: 'confirmed', afterSlot: tail.start.slot, limit: 1_000_000, minContextSlot } as const;
  const entries = united
    ? uniteHistories(await deps.rpc.historiesOf(market.baseVault, range))
    : await deps.rpc.historyOf(market.baseVault, range);
  if (entries.length > MOST_FILLED) return { steps: [], isTooLong: true };
  const unknown = entries.filter(({ signature, slot }) => !tail.has(signature, slot));
  const { transactions } = await readTransactions(deps, market, unknown, 'confirmed');
  return {
    steps: transactions.map((transaction) => ({ ...transaction, place: placeOf(entries, transaction) })),
    isTooLong: false,
  };
}

/** Returns the place of a transaction in its slot. Expects entries newest first. */
function placeOf(entries: readonly HistoryEntry[], { signature, slot }: TimedTransaction): number {
  const ofSlot = entries.filter((entry) => entry.slot === slot).toReversed();
  return ofSlot.findIndex((entry) => entry.signature === signature);
}

const PAGES_AT_ONCE = 4;

export async function readVaults(
  { rpc }: MarketDeps,
  pools: readonly { readonly pool: string; readonly baseVault: string }[],
): Promise<ReadonlyMap<string, FinalizedVault>> {
  const read = await inParallel(PAGES_AT_ONCE, batchesOf(pools, ACCOUNTS_PER_CALL), async (page) => {
    const accounts = page.map(({ baseVault }) => baseVault);
    const { slot, raw } = await readBalances(rpc.connection, accounts, 'finalized');
    return page.map(({ pool }, index) => [pool, { slot, raw: raw[index] ?? 0n }] as const);
  });
  return new Map(read.flat());
}

/** Reads vaults together with a quorum's finalized slot: one call per endpoint. */
export async function readVaultsAgreed(
  { rpc }: MarketDeps,
  pools: readonly { readonly pool: string; readonly baseVault: string }[],
): Promise<{ readonly finalized: number; readonly vaults: ReadonlyMap<string, FinalizedVault> }> {
  const { agreedSlot, slot, accounts } = await rpc.finalizedReading(pools.map(({ baseVault }) => baseVault));
  const vaults = pools.map(({ pool }, index) => [pool, { slot, raw: balanceIn(accounts[index] ?? null) }] as const);
  return { finalized: agreedSlot, vaults: new Map(vaults) };
}

export interface PoolStand extends FinalizedVault {
  /** Changes with every swap, even one that restores a vault balance. */
  readonly hash: string | null;
  readonly account: AccountInfo<Buffer> | null;
}

export async function readVaultStates(
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
