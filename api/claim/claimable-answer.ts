import { arrivingOf, type PositionFees } from '../../chain/exchange/position-fees.ts';
import type { PriceSource } from '../../chain/prices/price-source.ts';
import type { TokenRecord } from '../../db/tokens.ts';
import { basePriceUsd, usdValue } from '../../domain/usd-value.ts';
import { AppError } from '../../domain/errors.ts';
import { amountAnswer } from '../answers/amounts.ts';
import { toNumber } from '../answers/numbers.ts';
import type { ClaimableAnswer, TokenAmountAnswer } from './fees.schema.ts';

export type ClaimedToken = Pick<TokenRecord, 'mint' | 'symbol' | 'quoteMint' | 'quoteSymbol'>;

export async function claimableAnswer(
  prices: PriceSource,
  token: ClaimedToken,
  fees: PositionFees,
): Promise<ClaimableAnswer> {
  const { base, quote, state } = fees;
  const { baseRaw, quoteRaw } = arrivingOf(fees);
  const quoteUsd = await freshPrice(prices, token.quoteMint);
  const pool = {
    sqrtPriceX64: state.sqrtPriceX64,
    baseIsToken0: state.token0.equals(base.mint),
    baseDecimals: base.decimals,
    quoteDecimals: quote.decimals,
  };
  const baseUsd = quoteUsd === null ? null : basePriceUsd(pool, quoteUsd);
  return {
    base: amountOf(token.mint, token.symbol, base.decimals, baseRaw, baseUsd),
    quote: amountOf(token.quoteMint, token.quoteSymbol, quote.decimals, quoteRaw, quoteUsd),
  };
}

function amountOf(
  mint: string,
  symbol: string,
  decimals: number,
  raw: bigint,
  priceUsd: string | null,
): TokenAmountAnswer {
  return {
    mint,
    symbol,
    decimals,
    ...amountAnswer('amount', raw, decimals),
    ...(priceUsd !== null && { amountUsd: toNumber(usdValue(raw, decimals, priceUsd)) }),
  };
}

/** Returns null without a price: only the USD value is then unknown. */
async function freshPrice(prices: PriceSource, mint: string): Promise<string | null> {
  try {
    return (await prices.spotUsd(mint)).usd;
  } catch (error) {
    if (error instanceof AppError && error.code === 'service_unavailable') return null;
    throw error;
  }
}
