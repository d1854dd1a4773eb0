import { NATIVE_MINT } from '@solana/spl-token';
import { PublicKey } from '@solana/web3.js';
import { BigNumber } from 'bignumber.js';
import { quoteDevBuy } from '../../../chain/exchange/dev-buy.ts';
import type { LaunchPlan } from '../../../chain/exchange/exchange.ts';
import { baseTokenOf, poolRequestOf, quoteTokenOf } from '../../../chain/launch/pool-request.ts';
import { agreedTaxBps } from '../../../chain/tokens/agreed-tokens.ts';
import { quoteMintRefusal } from '../../../chain/tokens/quote-mint.ts';
import * as pairs from '../../../db/pairs.ts';
import { DEV_BUY_MAX_RAW, lamportsForQuote } from '../../../domain/launch/dev-buy.ts';
import type { DevBuyTerms, LaunchTerms, PoolOpening } from '../../../domain/launch/terms.ts';
import type { LaunchDeps } from '../deps.ts';
import { assertSame, ProposalRefusedError } from './refuse.ts';

/** The quote token is listed, may be launched with, and is on the chain what the list says. */
export async function checkPair({ db, rpc }: LaunchDeps, { quoteToken }: LaunchTerms): Promise<void> {
  const { mint, symbol, decimals, tokenProgram } = quoteToken;
  const pair = await pairs.byMint(db, mint);
  if (!pair?.launchable) throw new ProposalRefusedError(`quote token ${mint} is not a pair that can be launched with`);
  const spelt = (token: LaunchTerms['quoteToken']) => `${token.symbol}/${token.decimals}/${token.tokenProgram}`;
  assertSame('quote token', spelt({ mint, symbol, decimals, tokenProgram }), spelt(pair));
  const said = await rpc.accountTestimonies([mint], 'confirmed');
  const refusal = said.agreedReason(mint, (account) => quoteMintRefusal(new PublicKey(mint), account));
  if (refusal !== null) throw refusal;
}

/**
 * The pool opens where the sealed price puts it, that price is near the present one, and a dev buy is within its bound, exact to
 * the unit on that pool, and paid for at present prices.
 */
export async function checkMarket(deps: LaunchDeps, terms: LaunchTerms): Promise<void> {
  const { usd } = await deps.prices.usd(terms.quoteToken.mint);
  assertNear(deps, terms, usd);
  const { plan } = await poolRequestOf(deps.builder.exchange, deps.builder.wallets, terms);
  assertSame('opening', speltOpening(terms.opening), speltOpening(plan.opening));
  if (terms.devBuy) await checkDevBuy(deps, terms, { plan, devBuy: terms.devBuy, quoteUsd: usd });
}

function assertNear({ priceToleranceBps }: LaunchDeps, { opening, quoteToken }: LaunchTerms, usd: string): void {
  const own = new BigNumber(usd);
  const apart = new BigNumber(opening.quotePriceUsd).minus(own).abs();
  if (apart.times(10_000).lte(own.times(priceToleranceBps))) return;
  throw new ProposalRefusedError(
    `${quoteToken.symbol} was proposed at ${opening.quotePriceUsd} USD and is at ${usd} USD now; prepare the launch again`,
  );
}

function speltOpening({ tick, sqrtPriceX64, baseIsToken0, marketCapUsd, quotePriceUsd }: PoolOpening): string {
  return [tick, sqrtPriceX64, baseIsToken0, marketCapUsd, quotePriceUsd].join('/');
}

/** A dev buy on a planned pool. */
interface PlannedBuy {
  readonly plan: LaunchPlan;
  readonly devBuy: DevBuyTerms;
  /** USD per whole quote token at present, decimal string. */
  readonly quoteUsd: string;
}

async function checkDevBuy(
  deps: LaunchDeps,
  terms: LaunchTerms,
  { plan, devBuy, quoteUsd }: PlannedBuy,
): Promise<void> {
  const tokensRaw = BigInt(devBuy.tokensRaw);
  if (tokensRaw <= 0n || tokensRaw > DEV_BUY_MAX_RAW) {
    throw new ProposalRefusedError(`a dev buy of ${tokensRaw} raw units is not within 1 and ${DEV_BUY_MAX_RAW}`);
  }
  const quote = quoteTokenOf(terms);
  const bps = await agreedTaxBps(deps.rpc, quote.mint);
  if (bps > 0) throw new ProposalRefusedError(`transfers of ${terms.quoteToken.symbol} are taxed with ${bps} bps`);
  const fill = quoteDevBuy(plan, baseTokenOf(terms), quote, { tokensRaw });
  const own = fill ? [fill.tokensRaw, fill.netTokensRaw, fill.quoteRaw].join('/') : 'nothing';
  assertSame('dev buy', [devBuy.tokensRaw, devBuy.netTokensRaw, devBuy.maxQuoteRaw].join('/'), own);
  await assertPaidFor(deps, devBuy, { quoteUsd, quoteDecimals: quote.decimals });
}

/** The treasury gets what its quote tokens are worth; prices may have moved within the tolerance since the quote was made. */
async function assertPaidFor(
  { prices, priceToleranceBps }: LaunchDeps,
  { lamports, maxQuoteRaw }: DevBuyTerms,
  quote: { readonly quoteUsd: string; readonly quoteDecimals: number },
): Promise<void> {
  const { usd: solUsd } = await prices.usd(NATIVE_MINT.toBase58());
  const worth = lamportsForQuote(BigInt(maxQuoteRaw), { solUsd, ...quote });
  if (BigInt(lamports) * 10_000n >= worth * BigInt(10_000 - priceToleranceBps)) return;
  throw new ProposalRefusedError(`a dev buy was proposed for ${lamports} lamports and costs ${worth} now`);
}
