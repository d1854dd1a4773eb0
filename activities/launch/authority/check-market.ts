import { PublicKey } from '@solana/web3.js';
import { BigNumber } from 'bignumber.js';
import type { LaunchPlan } from '../../../chain/exchange/exchange.ts';
import { planOrProblem } from '../../../chain/exchange/opening-problem.ts';
import { baseTokenOf, poolRequestOf, quoteTokenOf } from '../../../chain/launch/pool-request.ts';
import { quoteMintRefusal } from '../../../chain/tokens/quote-mint.ts';
import * as pairs from '../../../db/pairs.ts';
import type { LaunchTerms, PoolOpening } from '../../../domain/launch/terms.ts';
import type { LaunchDeps } from '../deps.ts';
import { checkDevBuy, checkDevBuyAmounts } from './check-dev-buy.ts';
import { assertSame, ProposalRefusedError } from './refuse.ts';

export async function checkPair({ db, rpc }: LaunchDeps, { quoteToken }: LaunchTerms): Promise<void> {
  const { mint, symbol, decimals, tokenProgram } = quoteToken;
  const pair = await pairs.byMint(db, mint);
  if (!pair?.launchable) throw new ProposalRefusedError(`quote token ${mint} is not a pair that can be launched with`);
  const spelt = (token: LaunchTerms['quoteToken']) => `${token.symbol}/${token.decimals}/${token.tokenProgram}`;
  assertSame('quote token', spelt({ mint, symbol, decimals, tokenProgram }), spelt(pair));
  const said = await rpc.accountsByEndpoint([mint], 'confirmed');
  const refusal = said.agreedReason(mint, (account) => quoteMintRefusal(new PublicKey(mint), account));
  if (refusal !== null) throw refusal;
}

/** The spot price decides only the opening. */
export async function checkMarket(deps: LaunchDeps, terms: LaunchTerms, landed: 'nothing' | 'payment'): Promise<void> {
  const { usd } = await deps.prices.spotUsd(terms.quoteToken.mint);
  assertNear(deps, terms, usd);
  const plan = await checkPlan(deps, terms);
  if (landed === 'nothing') assertOpens(terms, plan);
  if (terms.devBuy) await checkDevBuy(deps, terms, terms.devBuy, landed);
}

/** Without any price of today: the pool, and the dev buy's amounts in it. */
export async function checkPlan(deps: LaunchDeps, terms: LaunchTerms): Promise<LaunchPlan> {
  const { plan } = await poolRequestOf(deps.builder.exchange, deps.builder.wallets, terms);
  assertSame('opening', formatOpening(terms.opening), formatOpening(plan.opening));
  if (terms.devBuy) checkDevBuyAmounts(terms, { plan, devBuy: terms.devBuy });
  return plan;
}

/** Refuses what prepare refuses: a pair whose rounding would misprice every launch with it. */
function assertOpens(terms: LaunchTerms, plan: LaunchPlan): void {
  const planned = planOrProblem(() => plan, baseTokenOf(terms), quoteTokenOf(terms));
  if ('problem' in planned) throw new ProposalRefusedError(`${terms.quoteToken.symbol}: ${planned.problem}`);
}

function assertNear({ priceToleranceBps }: LaunchDeps, { opening, quoteToken }: LaunchTerms, usd: string): void {
  const own = new BigNumber(usd);
  const apart = new BigNumber(opening.quotePriceUsd).minus(own).abs();
  if (apart.times(10_000).lte(own.times(priceToleranceBps))) return;
  throw new ProposalRefusedError(
    `${quoteToken.symbol} was proposed at ${opening.quotePriceUsd} USD and is at ${usd} USD now; prepare the launch again`,
  );
}

function formatOpening({ tick, sqrtPriceX64, baseIsToken0, marketCapUsd, quotePriceUsd }: PoolOpening): string {
  return [tick, sqrtPriceX64, baseIsToken0, marketCapUsd, quotePriceUsd].join('/');
}
