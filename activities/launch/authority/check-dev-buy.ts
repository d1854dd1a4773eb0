import { NATIVE_MINT } from '@solana/spl-token';
import { quoteDevBuy } from '../../../chain/exchange/dev-buy.ts';
import type { LaunchPlan } from '../../../chain/exchange/exchange.ts';
import { devBuyRounding } from '../../../chain/exchange/opening-problem.ts';
import { baseTokenOf, quoteTokenOf } from '../../../chain/launch/pool-request.ts';
import { agreedTaxBps } from '../../../chain/tokens/agreed-tokens.ts';
import { DEV_BUY_MAX_RAW, type ExchangeRate, lamportsForQuote, sellingRate } from '../../../domain/launch/dev-buy.ts';
import { unsteadyText } from '../../../domain/launch/dev-buy-stock.ts';
import type { DevBuyTerms, LaunchTerms } from '../../../domain/launch/terms.ts';
import { AppError } from '../../../domain/errors.ts';
import { UnsteadyPriceError } from '../../../domain/trading/spendable-price.ts';
import type { LaunchDeps } from '../deps.ts';
import { assertSame, ProposalRefusedError } from './refuse.ts';

interface PlannedBuy {
  readonly plan: LaunchPlan;
  readonly devBuy: DevBuyTerms;
}

/** @param landed with its payment on the chain it is too late for what protects the creator */
export async function checkDevBuy(
  deps: LaunchDeps,
  terms: LaunchTerms,
  devBuy: DevBuyTerms,
  landed: 'nothing' | 'payment',
): Promise<void> {
  const bps = await agreedTaxBps(deps.rpc, quoteTokenOf(terms).mint);
  if (bps > 0) throw new ProposalRefusedError(`transfers of ${terms.quoteToken.symbol} are taxed with ${bps} bps`);
  const rate = await rateOf(deps, terms);
  assertPaidFor(deps, devBuy, rate);
  if (landed === 'nothing') assertFair(deps, devBuy, rate);
}

/** The amounts follow from the pool. */
export function checkDevBuyAmounts(terms: LaunchTerms, { plan, devBuy }: PlannedBuy): void {
  const tokensRaw = BigInt(devBuy.tokensRaw);
  if (tokensRaw <= 0n || tokensRaw > DEV_BUY_MAX_RAW) {
    throw new ProposalRefusedError(`a dev buy of ${tokensRaw} raw units is not within 1 and ${DEV_BUY_MAX_RAW}`);
  }
  const result = quoteDevBuy(plan, baseTokenOf(terms), quoteTokenOf(terms), { tokensRaw });
  const own =
    result.fill === 'filled' ? [result.tokensRaw, result.netTokensRaw, result.quoteRaw].join('/') : result.fill;
  assertSame('dev buy', [devBuy.tokensRaw, devBuy.netTokensRaw, devBuy.maxQuoteRaw].join('/'), own);
}

/** Returns why the dev buy would sell quote tokens below their current value; undefined if it would not. */
export async function devBuyPriceProblem(
  deps: LaunchDeps,
  terms: LaunchTerms & { readonly devBuy: DevBuyTerms },
): Promise<string | undefined> {
  try {
    assertPaidFor(deps, terms.devBuy, await rateOf(deps, terms));
    return undefined;
  } catch (error) {
    if (!(error instanceof ProposalRefusedError || error instanceof AppError)) throw error;
    return error.message;
  }
}

async function rateOf({ spendablePrices }: LaunchDeps, { quoteToken }: LaunchTerms): Promise<ExchangeRate> {
  const { mint, symbol, decimals } = quoteToken;
  try {
    const [sol, quote] = await Promise.all([spendablePrices.of(NATIVE_MINT.toBase58()), spendablePrices.of(mint)]);
    return sellingRate(sol, quote, decimals);
  } catch (cause) {
    if (!(cause instanceof UnsteadyPriceError)) throw cause;
    throw new ProposalRefusedError(unsteadyText(symbol), { cause });
  }
}

/** The treasury gets the value of its tokens; prices may have moved within the tolerance. */
function assertPaidFor(
  { priceToleranceBps }: LaunchDeps,
  { lamports, maxQuoteRaw }: DevBuyTerms,
  rate: ExchangeRate,
): void {
  const worth = lamportsForQuote(BigInt(maxQuoteRaw), rate);
  if (BigInt(lamports) * 10_000n >= worth * BigInt(10_000 - priceToleranceBps)) return;
  throw new ProposalRefusedError(`a dev buy was proposed for ${lamports} lamports and costs ${worth} now`);
}

/** The creator pays no more than that value, and not for rounding. */
function assertFair(
  { priceToleranceBps }: LaunchDeps,
  { lamports, maxQuoteRaw }: DevBuyTerms,
  rate: ExchangeRate,
): void {
  const rounding = devBuyRounding(BigInt(maxQuoteRaw));
  if (rounding !== undefined) throw new ProposalRefusedError(`the dev buy ${rounding}`);
  const worth = lamportsForQuote(BigInt(maxQuoteRaw), rate);
  // Both are rounded up to a lamport.
  if ((BigInt(lamports) - 1n) * 10_000n <= worth * BigInt(10_000 + priceToleranceBps)) return;
  throw new ProposalRefusedError(`a dev buy was proposed for ${lamports} lamports and is worth ${worth} now`);
}
