import { PublicKey } from '@solana/web3.js';
import { isDeepStrictEqual } from 'node:util';
import type { Exchange } from '../../chain/exchange/exchange.ts';
import type { LandedChange } from '../../chain/market/replayed-market.ts';
import { type HistoryEntry, saysTooLong, uniteHistories } from '../../chain/rpc/history.ts';
import { inParallel } from '../../chain/rpc/in-parallel.ts';
import type { Rpc } from '../../chain/rpc/rpc.ts';

export interface ChangesDeps {
  readonly rpc: Pick<Rpc, 'finalizedAs' | 'getTransactionResponse' | 'historiesOf'>;
  readonly exchange: Pick<Exchange, 'decodeLiquidity'>;
}

/** Bounds memory and calls: of a busy pool, an hour. */
const MOST_LISTED = 20_000;
const MOST_READ = 2_000;
const AT_ONCE = 8;

export interface PoolListing {
  /** Oldest first, without failed transactions. */
  readonly entries: readonly HistoryEntry[];
  readonly placeOf: (signature: string) => number;
}

/** All transactions that any endpoint lists for the pool behind a slot; null if there are too many. */
export async function listPool({ rpc }: ChangesDeps, pool: string, afterSlot: number): Promise<PoolListing | null> {
  try {
    const range = { commitment: 'finalized', afterSlot, limit: MOST_LISTED } as const;
    const united = uniteHistories(await rpc.historiesOf(pool, range)).toReversed();
    const entries = united.filter(({ err }) => err === null);
    const places = new Map(entries.map(({ signature }, place) => [signature, place]));
    return { entries, placeOf: (signature) => places.get(signature) ?? entries.length };
  } catch (error) {
    if (saysTooLong(error)) return null;
    throw error;
  }
}

/** Decodes the transactions' changes of the pool's liquidity, each as a quorum has it; null if there are too many. */
export async function changesIn(
  deps: ChangesDeps,
  pool: string,
  entries: readonly HistoryEntry[],
): Promise<LandedChange[] | null> {
  if (entries.length > MOST_READ) return null;
  const changes = await inParallel(AT_ONCE, entries, (entry) => changesOf(deps, new PublicKey(pool), entry));
  return changes.flat();
}

async function changesOf(
  { rpc, exchange }: ChangesDeps,
  pool: PublicKey,
  { signature, slot }: HistoryEntry,
): Promise<LandedChange[]> {
  const response = await rpc.getTransactionResponse(signature, 'finalized');
  const changes = response ? exchange.decodeLiquidity(response, pool) : [];
  if (changes.length === 0) return [];
  const isSo = await rpc.finalizedAs({ signature, slot }, (other) =>
    isDeepStrictEqual(exchange.decodeLiquidity(other, pool), changes),
  );
  return isSo ? changes.map((change) => ({ ...change, signature, slot: BigInt(slot) })) : [];
}
