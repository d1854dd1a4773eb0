import { PublicKey } from '@solana/web3.js';
import type { Exchange } from '../exchange/exchange.ts';
import { sortsBefore } from '../exchange/opening.ts';
import { inParallel } from '../rpc/in-parallel.ts';
import type { Rpc } from '../rpc/rpc.ts';
import { type MarketPool, type PoolSwap, readPoolTransaction } from './pool-swaps.ts';

/** A final swap as it is stored. Amounts are raw units, the price whole quote tokens per whole token. */
export interface FinalSwap extends Omit<PoolSwap, 'wallet'> {
  readonly slot: bigint;
  readonly blockTime: Date;
}

/** Pool and mints of a token, base58, with vaults as they are known. */
export interface TradedPool {
  readonly pool: string;
  readonly mint: string;
  readonly quoteMint: string;
  readonly baseVault: string | null;
  readonly quoteVault: string | null;
  readonly baseDecimals: number;
  readonly quoteDecimals: number;
}

/** What checking takes. */
export interface SwapWitness {
  readonly rpc: Pick<Rpc, 'finalizedAs'>;
  readonly exchange: Exchange;
}

/** Swaps that are asked about at once. */
const AT_ONCE = 4;

/**
 * Those of the swaps that no quorum of endpoints bears out, in their order: the index takes one endpoint's word. Slot, side, amounts and
 * price must be the same; an endpoint need not know the time of the block. Rejects when fewer answer.
 */
export async function swapsNotBorneOut<Swap extends FinalSwap>(
  { rpc, exchange }: SwapWitness,
  pool: TradedPool,
  swaps: readonly Swap[],
): Promise<Swap[]> {
  const market = marketOf(pool);
  const bearsOut = (swap: Swap) =>
    rpc.finalizedAs({ signature: swap.signature, slot: Number(swap.slot) }, (response) => {
      const transaction = readPoolTransaction(exchange, market, swap.signature, response);
      const read = transaction?.swaps.find(({ index }) => index === swap.index);
      const time = transaction?.blockTime ?? null;
      const isThen = time === null || time * 1000 === swap.blockTime.getTime();
      return read !== undefined && isThen && BigInt(response.slot) === swap.slot && isSame(read, swap);
    });
  const borneOut = await inParallel(AT_ONCE, swaps, bearsOut);
  return swaps.filter((_, index) => !borneOut[index]);
}

const COMPARED = ['side', 'baseRaw', 'quoteRaw', 'priceQuote'] as const;

function isSame(one: Omit<PoolSwap, 'wallet'>, other: Omit<PoolSwap, 'wallet'>): boolean {
  return COMPARED.every((field) => one[field] === other[field]);
}

function marketOf({ pool, mint, quoteMint, baseVault, quoteVault, ...decimals }: TradedPool): MarketPool {
  if (baseVault === null || quoteVault === null) throw new Error(`the vaults of pool ${pool} are not known`);
  const baseIsToken0 = sortsBefore(new PublicKey(mint), new PublicKey(quoteMint));
  const { baseDecimals, quoteDecimals } = decimals;
  return { pool: new PublicKey(pool), baseVault, quoteVault, baseIsToken0, baseDecimals, quoteDecimals };
}
