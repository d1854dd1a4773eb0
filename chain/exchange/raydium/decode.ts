import type { PublicKey, VersionedTransactionResponse } from '@solana/web3.js';
import type { DecodedSwap } from '../exchange.ts';
import { swapsByBalances } from './swap-balances.ts';
import { type SwapEvent, swapEventsOf } from './swap-events.ts';

/**
 * Swaps of a landed transaction, in order, of the pools whose launched token is known: `baseSideOf` answers whether it is
 * token0, and undefined for pools that are not launches. A swap through any other program counts like a direct one.
 */
export function decodeSwaps(
  transaction: VersionedTransactionResponse,
  baseSideOf: (pool: PublicKey) => boolean | undefined,
): DecodedSwap[] {
  if (!transaction.meta || transaction.meta.err) return [];
  const events = swapEventsOf(transaction.meta.logMessages ?? []);
  return [...events, ...swapsByBalances(transaction, events)].flatMap((event) => {
    const baseIsToken0 = baseSideOf(event.pool);
    return baseIsToken0 === undefined ? [] : [swapOf(event, baseIsToken0)];
  });
}

function swapOf(event: SwapEvent, baseIsToken0: boolean): DecodedSwap {
  const { pool, sender, zeroForOne, amount0, amount1, sqrtPriceX64, tick } = event;
  const [baseRaw, quoteRaw] = baseIsToken0 ? [amount0, amount1] : [amount1, amount0];
  return {
    pool,
    side: zeroForOne === baseIsToken0 ? 'sell' : 'buy',
    wallet: sender,
    baseRaw,
    quoteRaw,
    sqrtPriceAfterX64: sqrtPriceX64,
    tickAfter: tick,
  };
}
