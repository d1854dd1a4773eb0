import { NATIVE_MINT } from '@solana/spl-token';
import { quoteDevBuy, type DevBuyFill, type DevBuyOrder } from '../../chain/exchange/dev-buy.ts';
import type { LaunchPlan } from '../../chain/exchange/exchange.ts';
import {
  DEV_BUY_MAX_RAW,
  type ExchangeRate,
  lamportsForQuote,
  lamportsOfSol,
  quoteForLamports,
  sellingRate,
  tokensOfPercent,
} from '../../domain/launch/dev-buy.ts';
import { AppError } from '../../domain/errors.ts';
import { unsteadyText } from '../../domain/launch/dev-buy-stock.ts';
import type { DevBuyTerms } from '../../domain/launch/terms.ts';
import { UnsteadyPriceError } from '../../domain/trading/spendable-price.ts';
import type { PairRecord } from '../../db/pairs.ts';
import type { ApiDeps } from '../deps.ts';
import type { PrepareBody } from './prepare-body.ts';
import type { TokenInfo } from '../../chain/tokens/token.ts';

/** The dev buy is its first trade. */
export interface DevBuyMarket {
  readonly plan: LaunchPlan;
  readonly base: TokenInfo;
  readonly quote: TokenInfo;
  readonly quoteSymbol: string;
}

type ListedQuote = Pick<PairRecord, 'mint' | 'symbol' | 'decimals'>;

type Wish = Pick<PrepareBody, 'devBuyPercent' | 'devBuySol'>;

/** @throws AppError `invalid_request` when both ways to ask are used */
export function wantsDevBuy({ devBuyPercent, devBuySol }: Wish): boolean {
  if (devBuyPercent !== undefined && devBuySol !== undefined) {
    throw new AppError('invalid_request', 'devBuyPercent and devBuySol exclude each other; give one of them');
  }
  return devBuyPercent !== undefined || devBuySol !== undefined;
}

/** By SOL, it takes as many tokens as the SOL pays for, at most 2.5 % of the supply. */
export async function planDevBuy(
  deps: ApiDeps,
  wish: Wish,
  market: DevBuyMarket,
  rate: ExchangeRate,
): Promise<DevBuyTerms> {
  const fill = fillOf(market, orderOf(wish, rate));
  if (fill.tokensRaw === 0n) throw new AppError('invalid_request', 'the dev buy is too small to buy a single raw unit');
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

function orderOf({ devBuyPercent, devBuySol }: Wish, rate: ExchangeRate): DevBuyOrder {
  if (devBuySol === undefined) return { tokensRaw: tokensOfPercent(devBuyPercent ?? '0') };
  return { quoteRaw: quoteForLamports(lamportsOfSol(devBuySol), rate) };
}

function fillOf({ plan, base, quote }: DevBuyMarket, order: DevBuyOrder): DevBuyFill {
  const isEmpty = ('tokensRaw' in order ? order.tokensRaw : order.quoteRaw) <= 0n;
  if (isEmpty) return { tokensRaw: 0n, netTokensRaw: 0n, quoteRaw: 0n };
  const fill = quoteDevBuy(plan, base, quote, order);
  if (fill && fill.tokensRaw <= DEV_BUY_MAX_RAW) return fill;
  const capped = quoteDevBuy(plan, base, quote, { tokensRaw: DEV_BUY_MAX_RAW });
  if (!capped) throw new Error(`a planned pool does not fill a dev buy of ${DEV_BUY_MAX_RAW} raw units`);
  return capped;
}

async function assertInventory({ launching }: ApiDeps, { quote, quoteSymbol }: DevBuyMarket, quoteRaw: bigint) {
  const obstacle = await launching.stockObstacle(quote, quoteSymbol, quoteRaw);
  if (obstacle === undefined) return;
  const { text, retryAfterSeconds } = obstacle;
  throw new AppError('service_unavailable', text, { retryAfterSeconds });
}
