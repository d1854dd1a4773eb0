import { PublicKey } from '@solana/web3.js';
import type { Exchange } from '../exchange/exchange.ts';
import { sortsBefore } from '../exchange/opening.ts';
import { inParallel } from '../rpc/in-parallel.ts';
import type { Rpc } from '../rpc/rpc.ts';
import { type MarketPool, type PoolSwap, readPoolTransaction } from './pool-swaps.ts';

/** A swap with raw amounts; price in whole tokens. */
export interface FinalSwap extends Omit<PoolSwap, 'wallet'> {
  readonly slot: bigint;
  readonly blockTime: Date;
}

/** base58; vaults null until known. */
export interface TradedPool {
  readonly pool: string;
  readonly mint: string;
  readonly quoteMint: string;
  readonly baseVault: string | null;
  readonly quoteVault: string | null;
  readonly baseDecimals: number;
  readonly quoteDecimals: number;
}

export interface SwapWitness {
  readonly rpc: Pick<Rpc, 'finalizedAs'>;
  readonly exchange: Exchange;
}

const AT_ONCE = 4;

/**
 * Returns swaps that no quorum confirms, in order: the index stores one endpoint's response. Slot, side, amounts and
 * price must match; the block time may be missing. Rejects without a quorum.
 */
export async function unconfirmedSwaps<Swap extends FinalSwap>(
  { rpc, exchange }: SwapWitness,
  pool: TradedPool,
  swaps: readonly Swap[],
): Promise<Swap[]> {
  const market = marketPoolOf(pool);
  if (market === null) throw new Error(`the vaults of pool ${pool.pool} are not known`);
  const isConfirmed = (swap: Swap) =>
    rpc.finalizedAs({ signature: swap.signature, slot: Number(swap.slot) }, (response) => {
      const transaction = readPoolTransaction(exchange, market, swap.signature, response);
      const read = transaction?.swaps.find(({ index }) => index === swap.index);
      const time = transaction?.blockTime ?? null;
      const isThen = time === null || time * 1000 === swap.blockTime.getTime();
      return read !== undefined && isThen && BigInt(response.slot) === swap.slot && isSame(read, swap);
    });
  const confirmed = await inParallel(AT_ONCE, swaps, isConfirmed);
  return swaps.filter((_, index) => !confirmed[index]);
}

const COMPARED = ['side', 'baseRaw', 'quoteRaw', 'priceQuote'] as const;

function isSame(one: Omit<PoolSwap, 'wallet'>, other: Omit<PoolSwap, 'wallet'>): boolean {
  return COMPARED.every((field) => one[field] === other[field]);
}

/** Null if the vaults are unknown. */
export function marketPoolOf({
  pool,
  mint,
  quoteMint,
  baseVault,
  quoteVault,
  ...decimals
}: TradedPool): MarketPool | null {
  if (baseVault === null || quoteVault === null) return null;
  // Both exchanges order a pool's tokens by mint.
  const baseIsToken0 = sortsBefore(new PublicKey(mint), new PublicKey(quoteMint));
  const { baseDecimals, quoteDecimals } = decimals;
  return { pool: new PublicKey(pool), baseVault, quoteVault, baseIsToken0, baseDecimals, quoteDecimals };
}
