import type { LaunchPlan, TokenInfo } from './exchange.ts';
import { grossOfNet, runSwap, type SwapOutcome, type SwapPool, transferTax } from './pool-math.ts';

/** What a dev buy costs and brings, raw units. */
export interface DevBuyFill {
  /** Tokens that the pool gives. */
  readonly tokensRaw: bigint;
  /** Tokens that reach the creator, net of a transfer tax. */
  readonly netTokensRaw: bigint;
  /** Quote tokens that leave the launch wallet: curve price, pool fee and a transfer tax of the quote token. */
  readonly quoteRaw: bigint;
}

/** The one side of a dev buy that is fixed: tokens the pool gives, or quote tokens that may be spent. */
export type DevBuyOrder = { readonly tokensRaw: bigint } | { readonly quoteRaw: bigint };

/** A planned pool as its first trade finds it. */
export function plannedPool(plan: LaunchPlan): SwapPool {
  const { tickLower, tickUpper, opening } = plan;
  const total = plan.positions[0].liquidity + plan.positions[1].liquidity;
  return {
    sqrtPriceX64: BigInt(opening.sqrtPriceX64),
    tick: opening.tick,
    // A position above the price is active from its lower tick on; one below it only once the price has left its upper one.
    liquidity: opening.tick < tickUpper ? total : 0n,
    ticks: [
      { tick: tickLower, liquidityNet: total },
      { tick: tickUpper, liquidityNet: -total },
    ],
  };
}

/** What a dev buy of exactly these tokens does to the planned pool; null where the pool cannot fill it. */
export function devBuyOutcome(plan: LaunchPlan, tokensRaw: bigint): SwapOutcome | null {
  const order = { zeroForOne: !plan.opening.baseIsToken0, exact: 'out', amount: tokensRaw } as const;
  return runSwap(plannedPool(plan), plan.fees, order);
}

/**
 * Quotes a dev buy on a planned pool, to the unit of what lands; null where the pool cannot fill it. An order by quote
 * tokens becomes the tokens they buy, and costs what exactly those tokens cost.
 */
export function quoteDevBuy(
  plan: LaunchPlan,
  base: TokenInfo,
  quote: TokenInfo,
  order: DevBuyOrder,
): DevBuyFill | null {
  const tokensRaw = 'tokensRaw' in order ? order.tokensRaw : tokensFor(plan, quote, order.quoteRaw);
  const outcome = tokensRaw === null ? null : devBuyOutcome(plan, tokensRaw);
  if (!outcome) return null;
  return {
    tokensRaw: outcome.amountOut,
    netTokensRaw: outcome.amountOut - transferTax(base.transferFee, outcome.amountOut),
    quoteRaw: grossOfNet(quote.transferFee, outcome.amountIn),
  };
}

function tokensFor(plan: LaunchPlan, quote: TokenInfo, quoteRaw: bigint): bigint | null {
  const amount = quoteRaw - transferTax(quote.transferFee, quoteRaw);
  const order = { zeroForOne: !plan.opening.baseIsToken0, exact: 'in', amount } as const;
  return runSwap(plannedPool(plan), plan.fees, order)?.amountOut ?? null;
}
