import { NATIVE_MINT } from '@solana/spl-token';
import { quoteDevBuy, type DevBuyFill, type DevBuyOrder } from '../../chain/exchange/dev-buy.ts';
import type { LaunchPlan, TokenInfo } from '../../chain/exchange/exchange.ts';
import {
  DEV_BUY_MAX_RAW,
  type ExchangeRate,
  lamportsForQuote,
  lamportsOfSol,
  quoteForLamports,
  tokensOfPercent,
} from '../../domain/launch/dev-buy.ts';
import { AppError } from '../../domain/errors.ts';
import type { DevBuyTerms } from '../../domain/launch/terms.ts';
import type { ApiDeps } from '../deps.ts';
import type { PrepareBody } from './prepare-body.ts';

/** The planned pool that a dev buy is the first trade of. */
export interface DevBuyMarket {
  readonly plan: LaunchPlan;
  readonly base: TokenInfo;
  readonly quote: TokenInfo;
  readonly quoteSymbol: string;
}

type Wish = Pick<PrepareBody, 'devBuyPercent' | 'devBuySol'>;

/** True when the creator asks for a dev buy. Throws AppError `invalid_request` when in both ways at once. */
export function wantsDevBuy({ devBuyPercent, devBuySol }: Wish): boolean {
  if (devBuyPercent !== undefined && devBuySol !== undefined) {
    throw new AppError('invalid_request', 'devBuyPercent and devBuySol exclude each other; give one of them');
  }
  return devBuyPercent !== undefined || devBuySol !== undefined;
}

/**
 * Exact terms of a dev buy. The pool is new and the dev buy its first trade, so the fill is known to the unit; a buy by
 * SOL takes as many tokens as the SOL pays for, at most 2.5 % of the supply.
 */
export async function planDevBuy(deps: ApiDeps, wish: Wish, market: DevBuyMarket): Promise<DevBuyTerms> {
  const rate = await exchangeRate(deps, market);
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

async function exchangeRate({ launching }: ApiDeps, { plan, quote }: DevBuyMarket): Promise<ExchangeRate> {
  const { usd } = await launching.prices.usd(NATIVE_MINT.toBase58());
  return { solUsd: usd, quoteUsd: plan.opening.quotePriceUsd, quoteDecimals: quote.decimals };
}

function orderOf({ devBuyPercent, devBuySol }: Wish, rate: ExchangeRate): DevBuyOrder {
  if (devBuySol === undefined) return { tokensRaw: tokensOfPercent(devBuyPercent ?? 0) };
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

/** A dev buy is paid in quote tokens of the treasury; they are reserved for it when the launch is assembled. */
async function assertInventory({ launching }: ApiDeps, { quote, quoteSymbol }: DevBuyMarket, quoteRaw: bigint) {
  if ((await launching.inventory(quote)) >= quoteRaw) return;
  throw new AppError('service_unavailable', `dev buys with ${quoteSymbol} are out of stock at the moment`);
}
