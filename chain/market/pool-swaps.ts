import type { PublicKey, VersionedTransactionResponse } from '@solana/web3.js';
import { blockTimeOf } from '../../domain/block-time.ts';
import { priceInQuote } from '../../domain/pool-price.ts';
import type { DecodedSwap, Exchange } from '../exchange/exchange.ts';
import { type BalanceChange, balanceChangeOf } from './vault-balances.ts';

/** A pool as the index reads its transactions. */
export interface MarketPool {
  readonly pool: PublicKey;
  /** Addresses of the pool's token accounts, base58. */
  readonly baseVault: string;
  readonly quoteVault: string;
  readonly baseIsToken0: boolean;
  readonly baseDecimals: number;
  readonly quoteDecimals: number;
}

/** One swap of a pool. Amounts are changes of its vaults, raw units. */
export interface PoolSwap {
  readonly signature: string;
  /** Place among the pool's swaps in the transaction, from 0. */
  readonly index: number;
  readonly side: 'buy' | 'sell';
  readonly wallet: string;
  readonly baseRaw: bigint;
  readonly quoteRaw: bigint;
  /** Whole quote tokens per whole base token right after it. */
  readonly priceQuote: string;
}

/** What a landed transaction did to a pool. */
export interface PoolTransaction {
  readonly signature: string;
  readonly slot: number;
  /** Unix time in seconds; null where the endpoint does not know it. */
  readonly blockTime: number | null;
  /** Balance of the base vault before and after, raw units. */
  readonly before: bigint;
  readonly after: bigint;
  /** The same of the quote vault; null where the transaction does not mention it. */
  readonly quote: BalanceChange | null;
  readonly swaps: readonly PoolSwap[];
  /** What its last swap left in the pool's account, see `Exchange.markIn`; null without one, or where that is not known. */
  readonly mark: string | null;
  /** What the vaults gained (negative: lost) beyond the swaps: a deposit, a harvest, or what a stranger sent there. */
  readonly otherBase: bigint;
  readonly otherQuote: bigint;
}

/**
 * Reads a pool's part of a landed transaction. The exchange says which swaps there were; their amounts must be found in the
 * vaults' balances again, and what is left of those is no trade. Null when the transaction never touched the base vault's
 * balance, whatever it mentions.
 */
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

/** What the quote vault holds after transactions, by what they say; `start` is what it held before them, null where that is not known. */
export function quoteAfter(
  transactions: readonly Pick<PoolTransaction, 'quote'>[],
  start: bigint | null,
): bigint | null {
  return transactions.findLast(({ quote }) => quote !== null)?.quote?.after ?? start;
}

/** True for the transaction that made the pool: its deposit came into an empty vault. A swap in it is the dev buy. */
export function isLaunch({ before, otherBase }: PoolTransaction): boolean {
  return before === 0n && otherBase > 0n;
}

/**
 * True where the vaults moved against each other beyond the swaps that were read, as only a swap (or a harvest with a gift in
 * one transaction) moves them: perhaps one that the exchange's decoder does not know.
 */
export function looksUnread({ otherBase, otherQuote }: PoolTransaction): boolean {
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
