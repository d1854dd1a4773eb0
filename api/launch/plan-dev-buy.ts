import { NATIVE_MINT } from '@solana/spl-token';
import { quoteDevBuy, type DevBuyFill, type DevBuyOrder } from '../../chain/exchange/dev-buy.ts';
import type { LaunchPlan } from '../../chain/exchange/exchange.ts';
import { devBuyRounding } from '../../chain/exchange/opening-problem.ts';
import {
  DEV_BUY_MAX_RAW,
  type ExchangeRate,
  lamportsForQuote,
  quoteForLamports,
  sellingRate,
} from '../../domain/launch/dev-buy.ts';
import { AppError } from '../../domain/errors.ts';
import { unsteadyText } from '../../domain/launch/dev-buy-stock.ts';
import type { DevBuyTerms } from '../../domain/launch/terms.ts';
import type { Wish } from '../../domain/launch/terms-wish.ts';
import { UnsteadyPriceError } from '../../domain/trading/spendable-price.ts';
import type { PairRecord } from '../../db/pairs.ts';
import type { ApiDeps } from '../deps.ts';
import type { TokenInfo } from '../../chain/tokens/token.ts';

/** The dev buy is its first trade. */
export interface DevBuyMarket {
  readonly plan: LaunchPlan;
  readonly base: TokenInfo;
  readonly quote: TokenInfo;
  readonly quoteSymbol: string;
}

type ListedQuote = Pick<PairRecord, 'mint' | 'symbol' | 'decimals'>;

type DevBuyWish = NonNullable<Wish['devBuy']>;

/** By SOL, it takes as many tokens as the SOL pays for, at most 2.5 % of the supply. */
export async function planDevBuy(
  deps: ApiDeps,
  wish: DevBuyWish,
  market: DevBuyMarket,
  rate: ExchangeRate,
): Promise<DevBuyTerms> {
  const fill = fillOf(market, wish, rate);
  const rounding = devBuyRounding(fill.quoteRaw);
  if (rounding !== undefined) throw tooSmall(market, wish, `on this pair it ${rounding}`);
  await assertInventory(deps, market, fill.quoteRaw);
  return {
    tokensRaw: fill.tokensRaw.toString(),
    netTokensRaw: fill.netTokensRaw.toString(),
    maxQuoteRaw: fill.quoteRaw.toString(),
    lamports: lamportsForQuote(fill.quoteRaw, rate).toString(),
  };
}

/** @throws AppError `service_unavailable` without a spendable price; launches without a dev buy go on */
export async function devBuyRate(
  { launching }: ApiDeps,
  { mint, symbol, decimals }: ListedQuote,
): Promise<ExchangeRate> {
  const { spendablePrices } = launching;
  try {
    const [sol, quote] = await Promise.all([spendablePrices.of(NATIVE_MINT.toBase58()), spendablePrices.of(mint)]);
    return sellingRate(sol, quote, decimals);
  } catch (cause) {
    if (!(cause instanceof UnsteadyPriceError)) throw cause;
    const { retryAfterSeconds } = cause;
    throw new AppError('service_unavailable', unsteadyText(symbol), { retryAfterSeconds, cause });
  }
}

function orderOf(wish: DevBuyWish, rate: ExchangeRate): DevBuyOrder {
  if ('tokensRaw' in wish) return { tokensRaw: BigInt(wish.tokensRaw) };
  return { quoteRaw: quoteForLamports(BigInt(wish.lamports), rate) };
}

function fillOf(market: DevBuyMarket, wish: DevBuyWish, rate: ExchangeRate): DevBuyFill {
  const result = quoteDevBuy(market.plan, market.base, market.quote, orderOf(wish, rate));
  switch (result.fill) {
    case 'filled':
      return result.tokensRaw <= DEV_BUY_MAX_RAW ? result : largestFill(market);
    case 'tooLarge':
      return largestFill(market);
    case 'tooSmall':
      throw tooSmall(market, wish, 'it buys no raw unit of the token');
  }
}

function largestFill({ plan, base, quote }: DevBuyMarket): DevBuyFill {
  const result = quoteDevBuy(plan, base, quote, { tokensRaw: DEV_BUY_MAX_RAW });
  if (result.fill === 'filled') return result;
  throw new Error(`a planned pool does not fill a dev buy of ${DEV_BUY_MAX_RAW} raw units: it is ${result.fill}`);
}

function tooSmall({ quoteSymbol }: DevBuyMarket, wish: DevBuyWish, why: string): AppError {
  const what = 'tokensRaw' in wish ? `${wish.tokensRaw} raw units` : `${wish.lamports} lamports`;
  return new AppError('invalid_request', `the dev buy of ${what} is too small with ${quoteSymbol}: ${why}`);
}

async function assertInventory({ launching }: ApiDeps, { quote, quoteSymbol }: DevBuyMarket, quoteRaw: bigint) {
  const obstacle = await launching.stockObstacle(quote, quoteSymbol, quoteRaw);
  if (obstacle === undefined) return;
  const { text, retryAfterSeconds } = obstacle;
  throw new AppError('service_unavailable', text, { retryAfterSeconds });
}
