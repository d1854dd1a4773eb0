import type { PublicKey, VersionedTransactionResponse } from '@solana/web3.js';
import { blockTimeOf } from '../../domain/block-time.ts';
import { priceInQuote } from '../../domain/pool-price.ts';
import type { DecodedSwap, Exchange } from '../exchange/exchange.ts';
import { type BalanceChange, balanceChangeOf } from './vault-balances.ts';

export interface MarketPool {
  readonly pool: PublicKey;
  /** base58 */
  readonly baseVault: string;
  readonly quoteVault: string;
  readonly baseIsToken0: boolean;
  readonly baseDecimals: number;
  readonly quoteDecimals: number;
}

/** Changes of the vaults, raw. */
export interface PoolSwap {
  readonly signature: string;
  /** Among the pool's in the transaction. */
  readonly index: number;
  readonly side: 'buy' | 'sell';
  readonly wallet: string;
  readonly baseRaw: bigint;
  readonly quoteRaw: bigint;
  /** After the swap, whole tokens. */
  readonly priceQuote: string;
}

export interface PoolTransaction {
  readonly signature: string;
  readonly slot: number;
  /** Unix seconds. */
  readonly blockTime: number | null;
  readonly before: bigint;
  readonly after: bigint;
  /** Null if the quote vault is not mentioned. */
  readonly quote: BalanceChange | null;
  readonly swaps: readonly PoolSwap[];
  /** By the last swap (`Exchange.markIn`). */
  readonly mark: string | null;
  /** Vault gains beyond the swaps: a deposit, harvest, or stranger's transfer. */
  readonly otherBase: bigint;
  readonly otherQuote: bigint;
}

/** Amounts must match the vaults' changes; the remainder is no trade. Null without the base vault's balance. */
export function readPoolTransaction(
  exchange: Exchange,
  market: MarketPool,
  signature: string,
  response: VersionedTransactionResponse,
): PoolTransaction | null {
  const base = balanceChangeOf(response, market.baseVault);
  if (base === null || response.meta === null || response.meta.err !== null) return null;
  const quote = balanceChangeOf(response, market.quoteVault);
  const decoded = exchange.decodeSwaps(response, (pool) =>
    pool.equals(market.pool) ? market.baseIsToken0 : undefined,
  );
  const traded = sumOf(decoded);
  return {
    signature,
    slot: response.slot,
    blockTime: blockTimeOf(response.blockTime),
    ...base,
    quote,
    swaps: decoded.map((swap, index) => toPoolSwap(market, signature, swap, index)),
    mark: decoded.at(-1)?.mark ?? null,
    otherBase: base.after - base.before - traded.base,
    otherQuote: (quote ? quote.after - quote.before : 0n) - traded.quote,
  };
}

/** `start`: balance before; null if unknown. */
export function quoteAfter(
  transactions: readonly Pick<PoolTransaction, 'quote'>[],
  start: bigint | null,
): bigint | null {
  return transactions.findLast(({ quote }) => quote !== null)?.quote?.after ?? start;
}

/** The pool's creation deposits into an empty vault; a swap in it is the dev buy. */
export function isLaunch({ before, otherBase }: PoolTransaction): boolean {
  return before === 0n && otherBase > 0n;
}

/**
 * True if the opposite vault moves beyond the decoded swaps: only a swap does that (or a harvest plus a gift), so the
 * decoder may have missed one.
 */
export function mayHaveMissedSwap({ otherBase, otherQuote }: PoolTransaction): boolean {
  return (otherBase < 0n && otherQuote > 0n) || (otherBase > 0n && otherQuote < 0n);
}

function sumOf(swaps: readonly DecodedSwap[]): { base: bigint; quote: bigint } {
  return swaps.reduce(
    ({ base, quote }, { side, baseRaw, quoteRaw }) =>
      side === 'buy'
        ? { base: base - baseRaw, quote: quote + quoteRaw }
        : { base: base + baseRaw, quote: quote - quoteRaw },
    { base: 0n, quote: 0n },
  );
}

function toPoolSwap(market: MarketPool, signature: string, swap: DecodedSwap, index: number): PoolSwap {
  const { side, wallet, baseRaw, quoteRaw, sqrtPriceAfterX64: sqrtPriceX64 } = swap;
  const priceQuote = priceInQuote({ ...market, sqrtPriceX64 });
  return { signature, index, side, wallet: wallet.toBase58(), baseRaw, quoteRaw, priceQuote };
}
