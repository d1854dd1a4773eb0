import type { PublicKey, TokenBalance, VersionedTransactionResponse } from '@solana/web3.js';
import type { BaseSideOf, DecodedSwap } from '../exchange.ts';
import { landedSteps } from './landed-steps.ts';
import { type SwapEvent, swapEventsOf } from './swap-events.ts';
import { type BalanceChange, swapsByTransfers } from './swap-transfers.ts';

const LOG_TRUNCATED = 'Log truncated';

/** Decodes swaps in order, including those that other programs called. */
export function decodeSwaps(transaction: VersionedTransactionResponse, baseSideOf: BaseSideOf): DecodedSwap[] {
  if (!transaction.meta || transaction.meta.err) return [];
  return eventsOf(transaction, transaction.meta.logMessages ?? []).flatMap((event) => {
    const baseIsToken0 = baseSideOf(event.pool);
    return baseIsToken0 === undefined ? [] : [swapOf(event, baseIsToken0)];
  });
}

/** Reads swap events from the log; reconstructs those after a truncation from transfers. */
function eventsOf(transaction: VersionedTransactionResponse, logs: readonly string[]): SwapEvent[] {
  const logged = swapEventsOf(logs);
  if (!logs.includes(LOG_TRUNCATED)) return logged;
  const all = swapsByTransfers(landedSteps(transaction), balanceChangeIn(transaction));
  const countIn = (events: readonly SwapEvent[], pool: PublicKey) =>
    events.filter((event) => event.pool.equals(pool)).length;
  const unlogged = all.filter(({ pool }, index) => countIn(all.slice(0, index), pool) >= countIn(logged, pool));
  return [...logged, ...unlogged];
}

function balanceChangeIn({ transaction, meta }: VersionedTransactionResponse): BalanceChange {
  const keys = transaction.message.getAccountKeys({ accountKeysFromLookups: meta?.loadedAddresses });
  const amountIn = (balances: readonly TokenBalance[] | null | undefined, account: PublicKey) =>
    balances?.find(({ accountIndex }) => keys.get(accountIndex)?.equals(account))?.uiTokenAmount.amount;
  return (account) => {
    const after = amountIn(meta?.postTokenBalances, account);
    if (after === undefined) return undefined;
    return BigInt(after) - BigInt(amountIn(meta?.preTokenBalances, account) ?? 0);
  };
}

function swapOf(event: SwapEvent, baseIsToken0: boolean): DecodedSwap {
  const { pool, sender, zeroForOne, amount0, amount1, sqrtPriceX64, tick, isLogged } = event;
  const [baseRaw, quoteRaw] = baseIsToken0 ? [amount0, amount1] : [amount1, amount0];
  return {
    pool,
    side: zeroForOne === baseIsToken0 ? 'sell' : 'buy',
    wallet: sender,
    baseRaw,
    quoteRaw,
    sqrtPriceAfterX64: sqrtPriceX64,
    tickAfter: tick,
    mark: isLogged ? String(sqrtPriceX64) : null,
  };
}
